import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callPart, legalWindow, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import { legalCutPoints } from "../message/tool-pairs.ts";
import { startOfTail } from "./divide-window.ts";

const tokensOf = () => 100;
const talk = (count: number) =>
  Array.from({ length: count }, (_, i) => say(i % 2 === 0 ? "user" : "assistant", `m${i}`));

const steps = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => [
    say("assistant", callPart(`c${from + i}`)),
    say("tool", resultPart(`c${from + i}`)),
  ]).flat();
/** Two turns of the user after the task, at 5 and at 12. */
const turns = windowOf(
  say("user", "task"),
  ...steps(2),
  say("user", "a"),
  ...steps(3, 2),
  say("user", "b"),
  ...steps(2, 5),
);

describe("startOfTail", () => {
  it("keeps the longest tail that fits", () => {
    expect(startOfTail(windowOf(...talk(10)), { tokens: 350 }, tokensOf)).toBe(7);
  });

  it("keeps the last exchange even if it does not fit, and nothing if no tail is wanted", () => {
    expect(startOfTail(windowOf(...talk(10)), { tokens: 1 }, tokensOf)).toBe(9);
    expect(startOfTail(windowOf(...talk(10)), { tokens: 0 }, tokensOf)).toBe(10);
  });

  it("keeps a number of messages, moved to a boundary that splits no tool pair", () => {
    expect(startOfTail(turns, { messages: 5 }, tokensOf)).toBe(12);
    expect(startOfTail(turns, { messages: 7 }, tokensOf)).toBe(10);
    expect(startOfTail(turns, { messages: 99 }, tokensOf)).toBe(0);
  });

  it("keeps the last turns even if they are larger than the tail", () => {
    expect(startOfTail(turns, { tokens: 250 }, tokensOf)).toBe(15);
    expect(startOfTail(turns, { tokens: 250, turns: 1 }, tokensOf)).toBe(12);
    expect(startOfTail(turns, { tokens: 250, turns: 2 }, tokensOf)).toBe(5);
    expect(startOfTail(turns, { tokens: 0, turns: 2 }, tokensOf)).toBe(5);
  });

  it("keeps a longer tail than the turns if it fits", () => {
    expect(startOfTail(turns, { tokens: 650, turns: 1 }, tokensOf)).toBe(12);
    expect(startOfTail(turns, { tokens: 750, turns: 1 }, tokensOf)).toBe(10);
  });

  it("keeps as many of the last turns as fit into their maximum", () => {
    expect(startOfTail(turns, { tokens: 250, turns: 2, most: 600 }, tokensOf)).toBe(12);
    expect(startOfTail(turns, { tokens: 250, turns: 2, most: 400 }, tokensOf)).toBe(15);
  });

  it("does not count a synthetic message as a turn of the user", () => {
    const put = say("user", { type: "text", text: "Continue.", synthetic: true });
    const window = windowOf(say("user", "task"), ...steps(2), say("user", "a"), ...steps(2, 2), put, ...steps(2, 4));
    expect(startOfTail(window, { tokens: 250, turns: 1 }, tokensOf)).toBe(5);
  });

  it("never splits a tool pair, and extends the tail for turns only as far as they fit", () => {
    fc.assert(
      fc.property(legalWindow, fc.nat({ max: 900 }), fc.nat({ max: 3 }), fc.nat({ max: 2_000 }), (window, ...rule) => {
        const [tokens, asked, most] = rule;
        const start = startOfTail(window, { tokens, turns: asked, most }, tokensOf);
        expect(legalCutPoints(window)).toContain(start);
        const plain = startOfTail(window, { tokens }, tokensOf);
        expect(start).toBeLessThanOrEqual(plain);
        if (start < plain) expect((window.length - start) * 100).toBeLessThanOrEqual(most);
        const starts = window.flatMap(({ role }, i) => (role === "user" ? [i] : []));
        const turn = starts.slice(-asked || starts.length)[0] ?? 0;
        if (asked > 0 && (window.length - turn) * 100 <= most) expect(start).toBeLessThanOrEqual(turn);
      }),
    );
  });
});
