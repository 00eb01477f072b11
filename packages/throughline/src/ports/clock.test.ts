import { describe, expect, it } from "vitest";
import { runInTime } from "./clock.ts";

const never = () => new Promise<string>(() => undefined);

describe("runInTime", () => {
  it("returns a value that arrives in time", async () => {
    expect(await runInTime("it", async () => "done", { timeLimit: 1_000 })).toEqual({ value: "done" });
  });

  it("gives up on longer work and aborts it", async () => {
    let told: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      told = signal;
      return never();
    };
    expect(await runInTime("the model", work, { timeLimit: 20 })).toEqual({
      failure: "the model did not answer in 0.02 s",
    });
    expect(told?.aborted).toBe(true);
  });

  it("forwards an abort and its reason", async () => {
    const controller = new AbortController();
    let told: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      told = signal;
      return never();
    };
    const running = runInTime("it", work, { timeLimit: 60_000, signal: controller.signal });
    controller.abort("enough");
    expect(await running).toEqual({ failure: "it was stopped" });
    expect(told?.reason).toBe("enough");
  });

  it("does not start after an abort", async () => {
    let begun = 0;
    const work = async () => {
      begun += 1;
    };
    const signal = AbortSignal.abort();
    expect(await runInTime("it", work, { timeLimit: 1_000, signal })).toEqual({ failure: "it was stopped" });
    expect(begun).toBe(0);
  });

  it.each([
    ["throws", new Error("no such host"), "no such host"],
    ["throws something that is no error", 503, "503"],
  ])("reports the reason if it %s", async (_, cause, failure) => {
    const rejecting = () => Promise.reject(cause);
    const throwing = () => {
      throw cause;
    };
    expect(await runInTime("it", rejecting, { timeLimit: 1_000 })).toEqual({ failure, cause });
    expect(await runInTime("it", throwing, { timeLimit: 1_000 })).toEqual({ failure, cause });
  });
});
