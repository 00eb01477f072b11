import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Utterance } from "../../ports/memory.ts";
import { markOwnSpans, markStale, withoutMarksBy } from "./mark-stale.ts";
import { conversation } from "./turn.arbitrary.ts";

const [turn] = conversation("Pay $5 by Friday at the front desk");
if (turn === undefined) throw new Error("A line is a turn.");

describe("markStale", () => {
  it("marks a whole turn once", () => {
    const stale = markStale(turn, { turnId: turn.id }, { since: 7, by: "x" });
    expect(stale).toEqual({ ...turn, staleSince: 7, marks: [{ since: 7, by: "x" }] });
    expect(markStale(stale, { turnId: turn.id }, { since: 9, by: "x" })).toBe(stale);
  });

  it("joins marks, and keeps the earliest time", () => {
    const once = markStale(turn, { turnId: turn.id, spans: [{ start: 4, end: 6 }] }, { since: 7 });
    const twice = markStale(once, { turnId: turn.id, spans: [{ start: 4, end: 16 }] }, { since: 9 });
    expect(once.staleSpans).toEqual([{ start: 4, end: 6, since: 7 }]);
    expect(twice.staleSpans).toEqual([{ start: 4, end: 16, since: 7 }]);
    expect(twice.staleSince).toBeUndefined();
  });

  it("marks a turn without remaining text as a whole", () => {
    expect(markStale(turn, { turnId: turn.id, spans: [{ start: 4, end: 34 }] }, { since: 7 }).staleSince).toBe(7);
  });

  it("keeps marks from before causes were recorded", () => {
    const old = { ...turn, staleSpans: [{ start: 4, end: 6, since: 3 }] };
    const marked = markStale(old, { turnId: turn.id, spans: [{ start: 10, end: 16 }] }, { since: 7, by: "x" });
    expect(withoutMarksBy(marked, new Set(["x"]))).toEqual({
      ...old,
      marks: [{ since: 3, spans: [{ start: 4, end: 6 }] }],
    });
  });

  it("marks the corrected statement inside a correction", () => {
    const [said] = conversation("The price was $100. The actual price is $150.");
    expect(said && markOwnSpans(said).staleSpans).toEqual([{ start: 14, end: 18, since: 0 }]);
    expect(markOwnSpans(turn)).toBe(turn);
  });
});

describe("withoutMarksBy", () => {
  const span = fc.tuple(fc.nat(33), fc.nat(33)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }));
  const mark = fc.record({
    by: fc.constantFrom("a", "b", "c"),
    since: fc.nat(9),
    spans: fc.option(fc.array(span, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 6 }),
  });

  it("removes the marks of some causes exactly", () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 6 }), fc.subarray(["a", "b", "c"]), (marks, gone) => {
        const marked = (some: typeof marks): Utterance =>
          some.reduce(
            (all, { by, since, spans }) => markStale(all, { turnId: all.id, ...(spans && { spans }) }, { since, by }),
            turn,
          );
        const left = marks.filter(({ by }) => !gone.includes(by));
        expect(withoutMarksBy(marked(marks), new Set(gone))).toEqual(marked(left));
      }),
    );
  });

  it("returns a turn without their marks unchanged", () => {
    const marked = markStale(turn, { turnId: turn.id }, { since: 7, by: "x" });
    expect(withoutMarksBy(marked, new Set(["y"]))).toBe(marked);
    expect(withoutMarksBy(marked, new Set(["x"]))).toEqual(turn);
  });
});
