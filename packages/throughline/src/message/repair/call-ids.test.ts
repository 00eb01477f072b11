import { describe, expect, it } from "vitest";
import { callPart, resultPart, say, windowOf } from "../message.arbitrary.ts";
import { findToolPairs } from "../tool-pairs.ts";
import { repairWindow } from "./repair-window.ts";

describe("repairCallIds", () => {
  it("gives no call an id that a result without a call already has", () => {
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

  it("renames 20,000 calls that all have one id", () => {
    const calls = Array.from({ length: 20_000 }, () => say("assistant", callPart("call_0")));
    const { messages } = repairWindow(windowOf(say("user", "hi"), ...calls));
    const ids = findToolPairs(messages).calls.map(({ part }) => part.toolCallId);
    expect(new Set(ids).size).toBe(20_000);
    expect(ids.at(-1)).toBe("call_0-20000");
  });
});
