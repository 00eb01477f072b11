import { describe, expect, it } from "vitest";
import { markOwnSpans, markStale } from "./mark-stale.ts";
import { conversation } from "./turn.arbitrary.ts";

const [turn] = conversation("Pay $5 by Friday at the front desk");
if (turn === undefined) throw new Error("A line is a turn.");

describe("markStale", () => {
  it("marks all of a turn, once", () => {
    const stale = markStale(turn, { turnId: turn.id }, 7);
    expect(stale).toEqual({ ...turn, staleSince: 7 });
    expect(markStale(stale, { turnId: turn.id }, 9)).toBe(stale);
  });

  it("joins what is marked, and keeps when it was first known", () => {
    const once = markStale(turn, { turnId: turn.id, spans: [{ start: 4, end: 6 }] }, 7);
    const twice = markStale(once, { turnId: turn.id, spans: [{ start: 4, end: 16 }] }, 9);
    expect(once.staleSpans).toEqual([{ start: 4, end: 6, since: 7 }]);
    expect(twice.staleSpans).toEqual([{ start: 4, end: 16, since: 7 }]);
    expect(twice.staleSince).toBeUndefined();
  });

  it("takes a turn of which nothing is left for outdated as a whole", () => {
    expect(markStale(turn, { turnId: turn.id, spans: [{ start: 4, end: 34 }] }, 7).staleSince).toBe(7);
  });

  it("marks in a correction what it corrects", () => {
    const [said] = conversation("We meet on Monday instead of Friday.");
    expect(said && markOwnSpans(said).staleSpans).toEqual([{ start: 29, end: 35, since: 0 }]);
    expect(markOwnSpans(turn)).toBe(turn);
  });
});
