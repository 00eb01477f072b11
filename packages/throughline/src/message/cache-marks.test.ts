import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertRichToModel } from "./convert/ai-sdk.ts";
import { callPart, resultPart, say, windowOf } from "./message.arbitrary.ts";
import type { Message } from "./message.ts";
import { repairWindow } from "./repair/repair-window.ts";
import { validateWindow } from "./validate-window.ts";

const MARK = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" }, other: 1 } } };
const OUTPUT = { output: { type: "text", value: "x", ...MARK } } as const;

/** A session of a client that marks the newest message of each turn and never removes a mark. */
function session(turns: number): Message[] {
  const drafts = Array.from({ length: turns }, (_, i) => [
    say("user", { type: "text", text: `Step ${i}`, ...MARK }),
    say("assistant", callPart(`c${i}`)),
    say("tool", { ...resultPart(`c${i}`), ...OUTPUT }),
    say("assistant", "Done."),
  ]).flat();
  const [system, ...rest] = windowOf(say("system", "Be careful."), ...drafts);
  return system === undefined ? [] : [{ ...system, ...MARK }, ...rest];
}

const marksIn = (value: unknown) => JSON.stringify(value).split('"cacheControl"').length - 1;
const codes = (window: readonly Message[]) => validateWindow(window, "anthropic").map(({ code }) => code);

describe("cache marks", () => {
  it("make a window illegal for Anthropic if there are more than four", () => {
    expect(codes(session(2))).toEqual(["too-many-cache-marks"]);
    expect(validateWindow(session(2), "openai")).toEqual([]);
  });

  it("are limited to that of the system message and the newest three", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), (turns) => {
        const window = session(turns);
        const { messages, repairs } = repairWindow(window);
        expect(codes(messages)).toEqual([]);
        expect(marksIn(convertRichToModel(messages))).toBe(4);
        expect(repairs.map(({ code }) => code)).toEqual(["dropped-cache-marks"]);
        expect(messages[0]).toEqual(window[0]);
        const marked = messages.flatMap((message, index) => (marksIn(message) > 0 ? [index - messages.length] : []));
        expect(marked.slice(1)).toEqual([-6, -4, -2]);
        expect(repairWindow(messages).messages).toEqual(messages);
      }),
    );
  });

  it("leave the other options of their provider", () => {
    const { messages } = repairWindow(session(4));
    expect(messages[1]?.parts[0]?.providerOptions).toEqual({ anthropic: { other: 1 } });
  });

  it("stay if there are at most four", () => {
    const window = session(1);
    expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
  });
});
