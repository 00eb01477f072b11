import { afterEach, describe, expect, it, vi } from "vitest";
import { inProcessStore } from "../store/in-process.ts";
import { CallLog, readCallStatistics, sumCalls } from "./call-log.ts";

const FAILED = {
  task: "facts",
  outcome: "failed",
  failure: 'The server refused the request (400): cannot read "My name is Ada"',
  problem: "refused",
  status: 400,
  duration: 5,
} as const;
const ANSWERED = { task: "facts", outcome: "answered", duration: 5 } as const;

afterEach(() => void vi.useRealTimers());

describe("CallLog", () => {
  it("adds the requests of several processes, and keeps seven days", async () => {
    const { documents } = inProcessStore();
    for (let day = 1; day <= 9; day += 1) {
      vi.useFakeTimers({ now: Date.UTC(2026, 4, day, 12), toFake: ["Date"] });
      const [first, second] = [new CallLog(documents), new CallLog(documents)];
      first.note(ANSWERED);
      first.note(FAILED);
      second.note({ ...ANSWERED, outcome: "skipped" });
      await Promise.all([first.save(), second.save()]);
      expect(first.counts).toEqual({ answered: 1, failed: 1, skipped: 0 });
    }
    const { days = [], lastFailure } = (await readCallStatistics(documents)) ?? {};
    expect(days.map(({ day }) => day)).toEqual([3, 4, 5, 6, 7, 8, 9].map((day) => `2026-05-0${day}`));
    expect(sumCalls(days)).toEqual({ answered: 7, failed: 7, skipped: 7 });
    expect(lastFailure).toEqual({ at: Date.UTC(2026, 4, 9, 12), task: "facts", problem: "refused", status: 400 });
    vi.setSystemTime(Date.UTC(2026, 4, 16, 12));
    expect(await readCallStatistics(documents)).toEqual({ days: [] });
  });

  it("never stores text of the endpoint, and drops what an earlier version stored", async () => {
    const { documents } = inProcessStore();
    const old = { days: [], lastFailure: { at: Date.now(), task: "facts", failure: "I am Ada" } };
    await documents.put("system", "model-calls", { revision: 0, value: old });
    expect(await readCallStatistics(documents)).toEqual({ days: [] });
    const log = new CallLog(documents);
    log.note(ANSWERED);
    await log.save();
    expect((await documents.get("system", "model-calls"))?.value).not.toHaveProperty("lastFailure");
    log.note(FAILED);
    await log.save();
    expect(JSON.stringify(await documents.get("system", "model-calls"))).not.toContain("Ada");
    expect(log.lastReason).toBe(`facts: ${FAILED.failure}`);
  });

  it("stores nothing if no model was asked, and each request once", async () => {
    const { documents } = inProcessStore();
    const log = new CallLog(documents);
    await log.save();
    expect(await readCallStatistics(documents)).toBeUndefined();
    log.note(ANSWERED);
    await log.save();
    await log.save();
    expect((await readCallStatistics(documents))?.days).toMatchObject([{ answered: 1, failed: 0, skipped: 0 }]);
  });
});
