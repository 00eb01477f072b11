import { describe, expect, it } from "vitest";
import { RecordingTracer } from "./recording-tracer.fixture.ts";
import { withSpan } from "./with-span.ts";

const plain = { name: "work", before: () => ({ size: 1, unknown: undefined }) };

describe("withSpan", () => {
  it("returns the result and ends the span with its final attributes", async () => {
    const tracer = new RecordingTracer();
    const after = (result: number) => ({ result, missing: undefined });
    expect(await withSpan({ tracer, recordContent: false }, { ...plain, after }, async () => 7)).toBe(7);
    expect(tracer.find("work")).toMatchObject({ attributes: { size: 1, result: 7 }, ends: 1, status: undefined });
    expect(Object.keys(tracer.find("work").attributes)).toEqual(["size", "result"]);
  });

  it("is the parent of spans after an await", async () => {
    const tracer = new RecordingTracer();
    const telemetry = { tracer, recordContent: false };
    const inner = () => withSpan(telemetry, { ...plain, name: "inner" }, async () => undefined);
    await withSpan(telemetry, plain, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await Promise.all([inner(), inner()]);
    });
    await inner();
    expect(tracer.tree).toEqual(["work", "work > inner", "work > inner", "inner"]);
  });

  it("reports the type of an error and rethrows it", async () => {
    const tracer = new RecordingTracer();
    const error = new RangeError("the user said hello");
    await expect(withSpan({ tracer, recordContent: false }, plain, () => Promise.reject(error))).rejects.toBe(error);
    const span = tracer.find("work");
    expect(span).toMatchObject({ ends: 1, status: { code: 2 }, exceptions: [] });
    expect(span.attributes["error.type"]).toBe("RangeError");
    expect(tracer.text).not.toContain("hello");
  });

  it("reports the message of an error if content is enabled", async () => {
    const tracer = new RecordingTracer();
    const error = new RangeError("the user said hello");
    await expect(withSpan({ tracer, recordContent: true }, plain, () => Promise.reject(error))).rejects.toBe(error);
    const status = { code: 2, message: "the user said hello" };
    expect(tracer.find("work")).toMatchObject({ ends: 1, status, exceptions: [error] });
  });

  it("also ends the span if a value other than an error is thrown", async () => {
    const tracer = new RecordingTracer();
    await expect(withSpan({ tracer, recordContent: true }, plain, () => Promise.reject("no"))).rejects.toBe("no");
    expect(tracer.find("work")).toMatchObject({ ends: 1, status: { code: 2 }, attributes: { "error.type": "_OTHER" } });
  });

  it("runs only the work without telemetry: no attributes are computed", async () => {
    const work = Promise.resolve(7);
    const never = () => {
      throw new Error("not asked for");
    };
    expect(withSpan(undefined, { name: "work", before: never, after: never }, () => work)).toBe(work);
  });
});
