import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../legality-rules.ts";
import { callPart, resultPart, say, windowOf } from "../message.arbitrary.ts";
import { validateWindow } from "../validate-window.ts";
import { repairWindow } from "./repair-window.ts";

const provided = { ...callPart("x", { query: "q" }), providerExecuted: true };

describe("repairToolPairs", () => {
  it("keeps the result when the same message object stands in the list twice", () => {
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

  it("tells a call that the provider ran as text when its result never came", () => {
    const window = windowOf(say("user", "hi"), say("assistant", provided, "found"), say("user", "and?"));
    const { messages, repairs } = repairWindow(window);
    expect(messages[1]?.parts).toMatchObject([{ text: '[Call of read: {"query":"q"}]' }, { text: "found" }]);
    expect(repairs.map(({ code, messageId }) => [code, messageId])).toEqual([["told-as-text", "m1"]]);
    expect(validateWindow(messages, "anthropic")).toEqual([]);
  });

  it("leaves a call that the provider may still be running", () => {
    const window = windowOf(say("user", "hi"), say("assistant", provided));
    expect(repairWindow(window)).toEqual({ messages: window, repairs: [] });
  });

  it("puts the result of a call that the provider ran beside it", () => {
    const window = windowOf(say("user", "hi"), say("assistant", provided, "found"), say("tool", resultPart("x")));
    const { messages, repairs } = repairWindow(window);
    expect(messages).toHaveLength(2);
    expect(messages[1]?.parts.map(({ type }) => type)).toEqual(["tool-call", "tool-result", "text"]);
    expect(messages[1]?.parts[1]).toMatchObject({ providerExecuted: true });
    expect(repairs.map(({ code }) => code)).toEqual(["moved-result"]);
  });

  it("gives the messages that it adds ids of their own, over several rounds", () => {
    // The text told at the end puts the open approval into the past, so that a second round adds a result.
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

  it("leaves 20,000 open approvals", () => {
    const asked = Array.from({ length: 20_000 }, (_, i) => [
      callPart(`c${i}`),
      { type: "tool-approval-request" as const, approvalId: `p${i}`, toolCallId: `c${i}` },
    ]);
    expect(repairWindow(windowOf(say("user", "hi"), say("assistant", ...asked.flat()))).repairs).toEqual([]);
  });
});
