import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { convertRichToModel } from "../convert/ai-sdk.ts";
import { PROVIDERS } from "../legality-rules.ts";
import {
  anyWindow,
  callPart,
  FOREIGN_FORMATS,
  legalWindow,
  opaquePartOf,
  resultPart,
  say,
  windowOf,
} from "../message.arbitrary.ts";
import { findToolPairs } from "../tool-pairs.ts";
import { validateWindow } from "../validate-window.ts";
import { isPlainWindow } from "./is-plain-window.ts";
import { repairWindow, runSteps } from "./repair-window.ts";

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

  it("produces no duplicate ids and no stale token counts", () => {
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

  it("accepts AI SDK messages, also mixed with Throughline messages", () => {
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

  it("returns a legal window unchanged", () => {
    fc.assert(
      fc.property(legalWindow, (window) => {
        expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
      }),
    );
  });

  it("finds nothing to repair in a window that is legal at first glance", () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.oneof(anyWindow, legalWindow), (window) => {
        if (!isPlainWindow(window)) return;
        plain += 1;
        for (const provider of [undefined, ...PROVIDERS]) {
          expect(runSteps(window, provider)).toEqual({ messages: window, repairs: [] });
        }
      }),
      { numRuns: cases(400) },
    );
    expect(plain).toBeGreaterThan(0);
  });

  it.each([
    ["a call without a result", windowOf(say("user", "a"), say("assistant", callPart("x")))],
    ["a result without a call", windowOf(say("user", "a"), say("tool", resultPart("x")))],
    [
      "a call id that is used twice",
      windowOf(
        say("user", "a"),
        ...[1, 2].flatMap(() => [say("assistant", callPart("x")), say("tool", resultPart("x"))]),
      ),
    ],
    ["two messages of the user", windowOf(say("user", "a"), say("user", "b"))],
    ["an assistant who begins", windowOf(say("assistant", "a"))],
    ["a blank text", windowOf(say("user", " "))],
    ["no message", []],
  ])("looks closer at %s", (_, window) => {
    expect(isPlainWindow(window)).toBe(false);
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const { messages } = repairWindow(window);
        expect(repairWindow(messages)).toEqual({ messages, repairs: [] });
      }),
      { numRuns: cases(200) },
    );
  });

  it("keeps all user text and all tool outputs", () => {
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

  it("lists its changes by message", () => {
    const window = windowOf(say("user", "hi"), say("assistant", callPart("x")), say("user", "and?"));
    const { messages, repairs } = repairWindow(window);
    expect(repairs).toEqual([{ code: "added-result", messageId: "m1", text: 'call "x" had no result' }]);
    expect(messages[2]).toMatchObject({
      role: "tool",
      parts: [{ toolCallId: "x", output: { type: "error-text", value: "No result was recorded for this call." } }],
    });
  });

  it("moves a result to its call if something came between", () => {
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

  it("drops a repeated result, and keeps a different one as text", () => {
    const call = [say("user", "hi"), say("assistant", callPart("x"))];
    const twice = repairWindow(windowOf(...call, say("tool", resultPart("x", "one"), resultPart("x", "one"))));
    expect(twice.repairs.map((repair) => repair.code)).toEqual(["dropped-result"]);
    const differs = repairWindow(windowOf(...call, say("tool", resultPart("x", "one"), resultPart("x", "two"))));
    expect(differs.messages.at(-1)).toMatchObject({ role: "user", parts: [{ synthetic: true }] });
    expect(JSON.stringify(differs.messages.at(-1))).toContain("two");
  });

  it("renames a reused call id together with its result", () => {
    const round = [say("assistant", callPart("call_0")), say("tool", resultPart("call_0"))];
    const { messages } = repairWindow(windowOf(say("user", "hi"), ...round, ...round));
    expect(JSON.stringify(messages[3]?.parts)).toContain("call_0-2");
    expect(JSON.stringify(messages[4]?.parts)).toContain("call_0-2");
  });

  it("merges lone reasoning with the answer after it", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", { type: "reasoning", text: "hm" }),
      say("assistant", "yes"),
    );
    const { messages } = repairWindow(window);
    expect(messages[1]?.parts.map((part) => part.type)).toEqual(["reasoning", "text"]);
  });
});

describe("repairWindow and the first message", () => {
  it.each([
    ["nothing", []],
    ["only system messages", windowOf(say("system", "s"), say("system", "t"))],
    ["only a message without a word", windowOf(say("user", " "))],
  ])("opens a window of %s with a user message", (_, window) => {
    const { messages, repairs } = repairWindow(window);
    expect(messages.at(-1)).toMatchObject({ role: "user", parts: [{ type: "text", synthetic: true }] });
    expect(repairs.at(-1)).toMatchObject({ code: "added-opening", messageId: messages.at(-1)?.id });
    for (const provider of PROVIDERS) expect(validateWindow(messages, provider)).toEqual([]);
  });

  it("puts the opening after the system messages and before the assistant", () => {
    const { messages, repairs } = repairWindow(windowOf(say("system", "s"), say("assistant", "a")));
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(repairs).toMatchObject([{ code: "added-opening", messageId: "m1" }]);
  });
});

describe("repairWindow and call ids", () => {
  it("never assigns the id of an orphaned result", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("a|b")),
      say("tool", resultPart("a_b", "lost"), resultPart("a|b", "found")),
    );
    const { messages } = repairWindow(window);
    const [call] = findToolPairs(messages).calls;
    expect(call?.part.toolCallId).toBe("a_b-2");
    expect(call?.result?.part.output).toEqual({ type: "text", value: "found" });
    expect(messages.at(-1)).toMatchObject({ role: "user", parts: [{ type: "text", synthetic: true }] });
  });

  it("renames 20,000 calls with one id", () => {
    const calls = Array.from({ length: 20_000 }, () => say("assistant", callPart("call_0")));
    const { messages } = repairWindow(windowOf(say("user", "hi"), ...calls));
    const ids = findToolPairs(messages).calls.map(({ part }) => part.toolCallId);
    expect(new Set(ids).size).toBe(20_000);
    expect(ids.at(-1)).toBe("call_0-20000");
  });
});

describe("repairWindow and empty messages", () => {
  it("drops a message of parts that the AI SDK does not accept, and reports it", () => {
    for (const format of FOREIGN_FORMATS.filter((name) => name !== "ai-sdk")) {
      const window = windowOf(say("user", "a"), say("assistant", opaquePartOf(format)), say("user", "b"));
      const { messages, repairs } = repairWindow(window);
      expect(convertRichToModel(messages).map(({ role }) => role)).toEqual(["user"]);
      expect(repairs.map(({ code, messageId }) => [code, messageId])).toEqual([
        ["dropped-empty", "m1"],
        ["merged", "m2"],
      ]);
    }
  });

  it("keeps AI SDK parts, and any part beside content that is sent", () => {
    const window = windowOf(
      say("user", "a"),
      say("assistant", opaquePartOf("ai-sdk")),
      say("user", "b", opaquePartOf("anthropic")),
    );
    expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
  });

  it("names a file that only another provider holds if its message has no other content", () => {
    const file = {
      type: "file",
      mediaType: "application/pdf",
      filename: "a.pdf",
      data: { type: "reference", reference: { anthropic: "file_1" } },
    } as const;
    const window = windowOf(say("user", file)).map((message) => ({
      ...message,
      provenance: { format: "anthropic" as const },
    }));
    const { messages, repairs } = repairWindow(window);
    expect(messages[0]?.parts).toMatchObject([
      { type: "file" },
      { type: "text", text: "[File a.pdf application/pdf]" },
    ]);
    expect(repairs.map(({ code }) => code)).toEqual(["kept-as-text"]);
  });

  it("reports in the order of the messages", () => {
    const window = windowOf(say("user", "a", " "), say("assistant"), say("user", " "), say("assistant", "b", ""));
    const { messages, repairs } = repairWindow(window);
    expect(repairs.map(({ messageId }) => messageId)).toEqual(["m0", "m1", "m2", "m3"]);
    expect(messages.map(({ id }) => id)).toEqual(["m0", "m3"]);
  });

  it("drops the token count of a message that loses a text", () => {
    const window = windowOf(say("user", "a", "")).map((message) => ({ ...message, tokens: 9 }));
    expect(repairWindow(window).messages[0]).not.toHaveProperty("tokens");
  });
});

describe("repairWindow and merged turns", () => {
  it("takes the provenance from the content, not from the reasoning before it", () => {
    const file = {
      type: "file",
      mediaType: "application/pdf",
      data: { type: "reference", reference: { anthropic: "file_1" } },
    } as const;
    const [user, reasoning, said] = windowOf(
      say("user", "hi"),
      say("assistant", { type: "reasoning", text: "hm" }),
      say("assistant", file),
    );
    if (user === undefined || reasoning === undefined || said === undefined) throw new Error("three messages");
    const { messages } = repairWindow([
      user,
      { ...reasoning, provenance: { format: "openai-chat" } },
      { ...said, provenance: { format: "ai-sdk" } },
    ]);
    expect(convertRichToModel(messages)[1]?.content).toMatchObject([{ type: "reasoning" }, { type: "file" }]);
  });

  it("merges 20,000 messages of one role", () => {
    const { messages, repairs } = repairWindow(
      windowOf(...Array.from({ length: 20_000 }, (_, i) => say("user", `u${i}`))),
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]?.parts).toHaveLength(20_000);
    expect(repairs.at(-1)).toMatchObject({ code: "merged", text: "merged into the preceding user message m0" });
  });
});

const provided = { ...callPart("x", { query: "q" }), providerExecuted: true };

describe("repairWindow and tool pairs", () => {
  it("keeps the result if the same message object occurs twice", () => {
    const [user, call, results] = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x")),
      say("tool", resultPart("x")),
    );
    if (user === undefined || call === undefined || results === undefined) throw new Error("three messages");
    const { messages, repairs } = repairWindow([user, call, results, results]);
    expect(messages).toEqual([user, call, results]);
    expect(repairs.map(({ code }) => code)).toEqual(["dropped-result"]);
  });

  it("keeps a provider-run call without a result as text", () => {
    const window = windowOf(say("user", "hi"), say("assistant", provided, "found"), say("user", "and?"));
    const { messages, repairs } = repairWindow(window);
    expect(messages[1]?.parts).toMatchObject([{ text: '[Call of read: {"query":"q"}]' }, { text: "found" }]);
    expect(repairs.map(({ code, messageId }) => [code, messageId])).toEqual([["kept-as-text", "m1"]]);
    expect(validateWindow(messages, "anthropic")).toEqual([]);
  });

  it("keeps a call that the provider may still be running", () => {
    const window = windowOf(say("user", "hi"), say("assistant", provided));
    expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
  });

  it("puts the result of a provider-run call beside it", () => {
    const window = windowOf(say("user", "hi"), say("assistant", provided, "found"), say("tool", resultPart("x")));
    const { messages, repairs } = repairWindow(window);
    expect(messages).toHaveLength(2);
    expect(messages[1]?.parts.map(({ type }) => type)).toEqual(["tool-call", "tool-result", "text"]);
    expect(messages[1]?.parts[1]).toMatchObject({ providerExecuted: true });
    expect(repairs.map(({ code }) => code)).toEqual(["moved-result"]);
  });

  it("gives added messages unique ids over several rounds", () => {
    // The text added at the end makes the pending approval a past one, so a second round adds a result.
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x"), callPart("y"), {
        type: "tool-approval-request",
        approvalId: "p",
        toolCallId: "x",
      }),
      say("tool", resultPart("nobody")),
    );
    const { messages } = repairWindow(window);
    expect(messages.map(({ id }) => id)).toEqual(["m0", "m1", "m1~results-2", "m1~results", "m1~results~told"]);
    for (const provider of PROVIDERS) expect(validateWindow(messages, provider)).toEqual([]);
  });

  it("adds the results of 20,000 parallel calls", () => {
    const calls = Array.from({ length: 20_000 }, (_, i) => callPart(`c${i}`));
    const { messages } = repairWindow(windowOf(say("user", "hi"), say("assistant", ...calls)));
    expect(messages[2]?.parts).toHaveLength(20_000);
  });

  it("keeps 20,000 pending approvals", () => {
    const asked = Array.from({ length: 20_000 }, (_, i) => [
      callPart(`c${i}`),
      { type: "tool-approval-request" as const, approvalId: `p${i}`, toolCallId: `c${i}` },
    ]);
    expect(repairWindow(windowOf(say("user", "hi"), say("assistant", ...asked.flat()))).repairs).toEqual([]);
  });
});
