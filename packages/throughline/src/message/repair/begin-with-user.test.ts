import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../legality-rules.ts";
import { say, windowOf } from "../message.arbitrary.ts";
import { validateWindow } from "../validate-window.ts";
import { repairWindow } from "./repair-window.ts";

describe("beginWithUser", () => {
  it.each([
    ["nothing", []],
    ["only system messages", windowOf(say("system", "s"), say("system", "t"))],
    ["only a message without a word", windowOf(say("user", " "))],
  ])("lets the user open a window of %s", (_, window) => {
    const { messages, repairs } = repairWindow(window);
    expect(messages.at(-1)).toMatchObject({ role: "user", parts: [{ type: "text", synthetic: true }] });
    expect(repairs.at(-1)).toMatchObject({ code: "added-opening", messageId: messages.at(-1)?.id });
    for (const provider of PROVIDERS) expect(validateWindow(messages, provider)).toEqual([]);
  });

  it("puts the opening behind the system messages and before the assistant", () => {
    const { messages, repairs } = repairWindow(windowOf(say("system", "s"), say("assistant", "a")));
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(repairs).toMatchObject([{ code: "added-opening", messageId: "m1" }]);
  });
});
