import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currentText, joinSpans } from "./current-text.ts";
import { outdatedSpans } from "./mark-stale.ts";
import { anyTalk } from "./turn.arbitrary.ts";

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
