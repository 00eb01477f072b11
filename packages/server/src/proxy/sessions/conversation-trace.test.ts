import { describe, expect, it } from "vitest";
import type { Message } from "../../../../throughline/src/message/message.ts";
import { ConversationTrace } from "./conversation-trace.ts";

/** A user question, followed by one tool call and result per text. */
function conversation(...results: readonly string[]): Promise<ConversationTrace> {
  const part = (at: number) => ({ id: `p${at}`, toolCallId: `c${at}`, toolName: "bash" });
  const messages = [
    { role: "user", parts: [{ id: "q", type: "text", text: "Fix it." }] },
    ...results.flatMap((value, at) => [
      { role: "assistant", parts: [{ ...part(2 * at), type: "tool-call", input: {} }] },
      { role: "tool", parts: [{ ...part(2 * at + 1), type: "tool-result", output: { type: "text", value } }] },
    ]),
  ];
  return ConversationTrace.of("", messages as unknown as readonly Message[]);
}

const LOG = "a line of the build, with its time and its place\n".repeat(9);
const CLEARED = "[Old tool result content cleared]";

describe("a conversation whose older tool results are shortened", () => {
  it.each([
    ["a note in their place, also of short ones", [CLEARED, CLEARED, "ok"]],
    ["the head and the tail of a long one", [`${LOG.slice(0, 60)}\n… cut …\n${LOG.slice(-60)}`, "done", "ok"]],
  ])("is recognized by %s", async (_, results) => {
    const now = await conversation(...results);
    expect(now.isShortenedFrom(await conversation(LOG, "done", "ok"))).toBe(true);
  });

  it.each([
    ["other results that are shorter", ["quite another", "output", "ok"]],
    ["notes of two kinds", [CLEARED, "[removed by hand]", "ok"]],
    ["a result less", [LOG, "done"]],
  ])("is not recognized with %s", async (_, results) => {
    const now = await conversation(...results);
    expect(now.isShortenedFrom(await conversation(LOG, "done", "ok"))).toBe(false);
  });
});
