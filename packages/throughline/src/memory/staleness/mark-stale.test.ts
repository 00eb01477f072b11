import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Utterance } from "../../ports/memory.ts";
import { currentText, joinSpans, markOwnSpans, markStale, outdatedSpans, withoutMarksBy } from "./mark-stale.ts";
import { anyTalk, conversation } from "./turn.arbitrary.ts";

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

function current(text: string): string {
  return currentText(text, outdatedSpans(text));
}

describe("outdatedSpans", () => {
  it.each([
    ["The price was $100. The actual price is $150.", "The price was [outdated]. The actual price is $150."],
    [
      "Our previous plan 'leave at dawn' was based on the wrong map and has to be made anew.",
      "Our previous plan '[outdated]' was based on the wrong map and has to be made anew.",
    ],
    [
      "The original date was May 3. Then we moved it to May 5. The final date is May 9.",
      "The original date was [outdated]. Then we moved it to [outdated]. The final date is May 9.",
    ],
    ["Incorrect value: $5 a head. It is $7.", "Incorrect value: [outdated]. It is $7."],
    [
      "Original decision: leave at dawn. It is superseded by the new timetable of the trains.",
      "Original decision: [outdated]. It is superseded by the new timetable of the trains.",
    ],
  ])("leaves out of %j what it corrects", (text, wanted) => {
    expect(current(text)).toBe(wanted);
  });

  it.each([
    "I moved from Sweden four years ago.",
    "The standup was moved from 9am to 10am.",
    "The original owner was Bob.",
    "It was $100 at the market.",
    "The trip was from Monday to Friday.",
    "I originally wanted to paint.",
    "We meet on Monday and on Friday.",
  ])("leaves %j as it is", (text) => {
    expect(current(text)).toBe(text);
  });

  it("returns ordered spans within the text, without overlaps", () => {
    fc.assert(
      fc.property(anyTalk, (text) => {
        const spans = outdatedSpans(text);
        expect(joinSpans(spans)).toEqual(spans);
        for (const { start, end } of spans) expect(0 <= start && start < end && end <= text.length).toBe(true);
      }),
    );
  });
});

describe("currentText", () => {
  it("marks omissions, and is empty if no text remains", () => {
    expect(currentText("Pay $5 by Friday at the desk", [{ start: 4, end: 6 }])).toBe(
      "Pay [outdated] by Friday at the desk",
    );
    expect(currentText("Pay $5 now", [{ start: 4, end: 6 }])).toBe("");
    expect(currentText("As it was", [])).toBe("As it was");
  });

  it("never contains outdated text", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(60), fc.nat(20)), { maxLength: 5 }), (list) => {
        const text = Array.from({ length: 80 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(" ");
        const spans = list.map(([start, length]) => ({ start, end: start + length + 1 }));
        const shown = currentText(text, spans);
        for (const { start, end } of spans) {
          for (const letter of text.slice(start, end).replaceAll(" ", "")) expect(shown).not.toContain(letter);
        }
      }),
    );
  });
});
