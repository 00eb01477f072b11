import { describe, expect, it } from "vitest";
import { type ExtractionBatch, ExtractionTrigger } from "./extraction-trigger.ts";

interface Said {
  readonly id: string;
}

const said = (count: number, from = 0): Said[] => Array.from({ length: count }, (_, n) => ({ id: `m${from + n}` }));
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

function watched(extract: (batch: ExtractionBatch<Said>) => Promise<unknown> = async () => undefined) {
  const batches: ExtractionBatch<Said>[] = [];
  const trigger = new ExtractionTrigger<Said>({
    conversationId: "c1",
    now: () => 7,
    extract: (batch) => {
      batches.push(batch);
      return extract(batch);
    },
  });
  const fresh = () => batches.map((batch) => batch.fresh.map(({ id }) => id).join(" "));
  return { trigger, batches, fresh };
}

describe("ExtractionTrigger", () => {
  it("extracts after every five messages, in a later task", async () => {
    const { trigger, batches, fresh } = watched();
    trigger.note(said(4));
    await nextTask();
    expect(batches).toEqual([]);
    trigger.note(said(5));
    expect(batches).toEqual([]);
    await nextTask();
    trigger.note(said(9));
    await nextTask();
    trigger.note(said(10));
    await nextTask();
    expect(fresh()).toEqual(["m0 m1 m2 m3 m4", "m5 m6 m7 m8 m9"]);
    expect(batches[1]).toMatchObject({ conversationId: "c1", messages: said(10) });
    expect(trigger.getSnapshot()).toEqual({ isExtracting: false, lastExtraction: 7 });
  });

  it("needs two messages and a new one", async () => {
    const { trigger, batches } = watched();
    trigger.note(said(1));
    trigger.finish();
    trigger.note(said(2));
    trigger.finish();
    await nextTask();
    trigger.finish();
    trigger.trigger();
    await nextTask();
    expect(batches).toHaveLength(1);
  });

  it("extracts immediately on finish", () => {
    const { trigger, batches } = watched();
    trigger.note(said(3));
    trigger.finish();
    expect(batches).toHaveLength(1);
    expect(trigger.getSnapshot().isExtracting).toBe(true);
  });

  it("never runs concurrently, and reads newer messages afterwards", async () => {
    const gate = Promise.withResolvers<void>();
    const { trigger, fresh } = watched(() => gate.promise);
    trigger.note(said(5));
    await nextTask();
    trigger.note(said(7));
    trigger.finish();
    trigger.trigger();
    await nextTask();
    expect(fresh()).toHaveLength(1);
    gate.resolve();
    await nextTask();
    await nextTask();
    expect(fresh()).toEqual(["m0 m1 m2 m3 m4", "m5 m6"]);
  });

  it("waits for five more messages if no extraction was requested meanwhile", async () => {
    const gate = Promise.withResolvers<void>();
    const { trigger, fresh } = watched(() => gate.promise);
    trigger.note(said(5));
    await nextTask();
    trigger.note(said(7));
    gate.resolve();
    await nextTask();
    await nextTask();
    expect(fresh()).toHaveLength(1);
  });

  it("retries messages whose extraction failed, and reports the error", async () => {
    let isBroken = true;
    const { trigger, fresh } = watched(async () => {
      if (isBroken) throw new Error("no model");
    });
    trigger.note(said(5));
    await nextTask();
    expect(trigger.getSnapshot()).toMatchObject({
      isExtracting: false,
      lastExtraction: null,
      error: { message: "no model" },
    });
    isBroken = false;
    trigger.note(said(6));
    await nextTask();
    expect(fresh()).toEqual(["m0 m1 m2 m3 m4", "m0 m1 m2 m3 m4 m5"]);
    expect(trigger.getSnapshot()).toEqual({ isExtracting: false, lastExtraction: 7 });
  });

  it("skips messages that were extracted in an earlier session", async () => {
    const fresh: unknown[] = [];
    const trigger = new ExtractionTrigger<Said>({
      conversationId: "c1",
      isExtracted: ({ id }) => id < "m5",
      extract: async (batch) => fresh.push(batch.fresh),
    });
    trigger.note(said(9));
    await nextTask();
    expect(fresh).toEqual([]);
    trigger.finish();
    expect(fresh).toEqual([said(4, 5)]);
  });

  it("identifies messages without ids by position and content", async () => {
    let times = 0;
    const trigger = new ExtractionTrigger({ conversationId: "c1", extract: async () => (times += 1) });
    const messages = () => ["a", "b"].map((content) => ({ role: "user", content }));
    for (let round = 0; round < 3; round += 1) {
      trigger.note(messages());
      trigger.finish();
      await nextTask();
    }
    expect(times).toBe(1);
  });
});
