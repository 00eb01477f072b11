import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StoreError } from "../../errors/store-errors.ts";
import { HOUR } from "../../internal/time.ts";
import { SYSTEM_CLOCK } from "../../ports/clock.ts";
import { everyNight, nextNight } from "./nightly.ts";

describe("nightly work", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(2026, 4, 6, 22, 30) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const clock = SYSTEM_CLOCK;
  const warnings: string[] = [];
  const logger = { info: () => undefined, warn: (text: string) => warnings.push(text) };

  it("runs once a night at three until it is stopped", async () => {
    const done: number[] = [];
    const stop = everyNight({ clock, logger, work: async () => done.push(new Date().getHours()) });
    await vi.advanceTimersByTimeAsync(4 * HOUR);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(44 * HOUR);
    expect(done).toEqual([3, 3]);
    await stop();
    await vi.advanceTimersByTimeAsync(48 * HOUR);
    expect(done).toHaveLength(2);
  });

  it("continues after a failed night, and skips a night if another process holds the lease", async () => {
    const problems = [new StoreError("busy", "Somebody else is at it."), new Error("The disk is full."), undefined];
    const stop = everyNight({ clock, logger, work: async () => fail(problems.shift()) }, { hour: 1 });
    await vi.advanceTimersByTimeAsync(72 * HOUR);
    expect(problems).toEqual([]);
    expect(warnings).toEqual(["Nightly consolidation failed: The disk is full."]);
    await stop();
  });

  it("runs tomorrow if the hour has passed", () => {
    const at = (hour: number) => new Date(2026, 4, 6, hour).getTime();
    expect(new Date(nextNight(at(2), 3)).getDate()).toBe(6);
    expect(new Date(nextNight(at(3), 3)).getDate()).toBe(7);
  });
});

function fail(error: Error | undefined): void {
  if (error !== undefined) throw error;
}
