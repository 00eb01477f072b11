import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { convertRichToModel } from "../convert/ai-sdk.ts";
import { PROVIDERS } from "../legality-rules.ts";
import { anyWindow, callPart, legalWindow, resultPart, say, windowOf } from "../message.arbitrary.ts";
import { validateWindow } from "../validate-window.ts";
import { repairWindow } from "./repair-window.ts";

describe("repairWindow", () => {
  it("makes any list of messages legal for every provider", () => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const { messages } = repairWindow(window);
        for (const provider of PROVIDERS) {
          expect(validateWindow(messages, provider)).toEqual([]);
          expect(validateWindow(convertRichToModel(messages), provider)).toEqual([]);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("gives no id twice and no count that no longer holds", () => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const { messages } = repairWindow(window);
        expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
        for (const message of messages) {
          const before = window.find(({ id }) => id === message.id);
          if (message.tokens !== undefined) expect(message.parts).toEqual(before?.parts);
        }
      }),
      { numRuns: cases(200) },
    );
  });

  it("takes the AI SDK's messages, also among our own", () => {
    const call = windowOf(say("user", "hi"), say("assistant", callPart("x")));
    const { messages, repairs } = repairWindow([...convertRichToModel(call), ...windowOf(say("user", "and?"))]);
    expect(messages.map(({ id, role }) => `${role} ${id}`)).toEqual([
      "user m0-2",
      "assistant m1",
      "tool m1~results",
      "user m0",
    ]);
    expect(repairs.map(({ code }) => code)).toEqual(["added-result"]);
  });

  it("leaves a legal window as it is", () => {
    fc.assert(
      fc.property(legalWindow, (window) => {
        expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
      }),
    );
  });

  it("has nothing left to do after itself", () => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const { messages } = repairWindow(window);
        expect(repairWindow(messages)).toEqual({ messages, repairs: [] });
      }),
      { numRuns: cases(200) },
    );
  });

  it("keeps every word of the user and every output of a tool", () => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const repaired = JSON.stringify(repairWindow(window).messages);
        for (const message of window) {
          for (const part of message.parts) {
            if (part.type === "text" && part.text.trim() !== "") {
              expect(repaired).toContain(JSON.stringify(part.text).slice(1, -1));
            }
            if (part.type === "tool-result" && part.output.type === "text") {
              expect(repaired).toContain(JSON.stringify(part.output.value).slice(1, -1));
            }
          }
        }
      }),
    );
  });

  it("lists what it did, by message", () => {
    const window = windowOf(say("user", "hi"), say("assistant", callPart("x")), say("user", "and?"));
    const { messages, repairs } = repairWindow(window);
    expect(repairs).toEqual([{ code: "added-result", messageId: "m1", text: 'call "x" had no result' }]);
    expect(messages[2]).toMatchObject({
      role: "tool",
      parts: [{ toolCallId: "x", output: { type: "error-text", value: "No result was recorded for this call." } }],
    });
  });

  it("moves a result to its call when something came between", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x"), callPart("y")),
      say("tool", resultPart("y", "Y")),
      say("user", "hurry"),
      say("tool", resultPart("x", "X")),
    );
    const { messages, repairs } = repairWindow(window);
    expect(repairs.map((repair) => repair.code)).toEqual(["moved-result"]);
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "tool", "user"]);
  });

  it("drops a result that came twice and tells one that differs as text", () => {
    const call = [say("user", "hi"), say("assistant", callPart("x"))];
    const twice = repairWindow(windowOf(...call, say("tool", resultPart("x", "one"), resultPart("x", "one"))));
    expect(twice.repairs.map((repair) => repair.code)).toEqual(["dropped-result"]);
    const differs = repairWindow(windowOf(...call, say("tool", resultPart("x", "one"), resultPart("x", "two"))));
    expect(differs.messages.at(-1)).toMatchObject({ role: "user", parts: [{ synthetic: true }] });
    expect(JSON.stringify(differs.messages.at(-1))).toContain("two");
  });

  it("gives a call that reuses an id a new one, and its result too", () => {
    const round = [say("assistant", callPart("call_0")), say("tool", resultPart("call_0"))];
    const { messages } = repairWindow(windowOf(say("user", "hi"), ...round, ...round));
    expect(JSON.stringify(messages[3]?.parts)).toContain("call_0-2");
    expect(JSON.stringify(messages[4]?.parts)).toContain("call_0-2");
  });

  it("joins reasoning that stands alone with the answer after it", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", { type: "reasoning", text: "hm" }),
      say("assistant", "yes"),
    );
    const { messages } = repairWindow(window);
    expect(messages[1]?.parts.map((part) => part.type)).toEqual(["reasoning", "text"]);
  });
});
