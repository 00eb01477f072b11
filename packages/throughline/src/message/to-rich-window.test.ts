import { describe, expect, it } from "vitest";
import { InvalidMessageError } from "../errors/input-errors.ts";
import type { ForeignModelMessage } from "./convert/ai-sdk.ts";
import { say, windowOf } from "./message.arbitrary.ts";
import { toRichWindow } from "./to-rich-window.ts";

describe("toRichWindow", () => {
  it("returns Throughline messages unchanged", () => {
    const window = windowOf(say("user", "hi"));
    expect(toRichWindow(window)).toBe(window);
  });

  it("converts AI SDK messages in a mixed list and gives them unique ids", () => {
    const [own] = windowOf(say("user", "hi"));
    const rich = toRichWindow([
      { role: "system", content: "s" },
      { ...own, id: "m2" } as NonNullable<typeof own>,
      { role: "assistant", content: "a" },
    ]);
    expect(rich.map(({ id, role }) => [id, role])).toEqual([
      ["m0", "system"],
      ["m2", "user"],
      ["m2-2", "assistant"],
    ]);
    expect(rich[2]?.parts).toMatchObject([{ id: "m2-2.0", type: "text", text: "a" }]);
  });

  it("reports the position of an unreadable message", () => {
    const list = [...windowOf(say("user", "hi")), { role: "robot", content: "a" }];
    expect(() => toRichWindow(list)).toThrow("message 1");
    expect(() => toRichWindow([null as unknown as ForeignModelMessage])).toThrow(InvalidMessageError);
    expect(() => toRichWindow("no list" as unknown as ForeignModelMessage[])).toThrow(InvalidMessageError);
  });

  it.each([
    ["convertChatToRich", { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function" }] }],
    ["convertChatToRich", { role: "tool", content: "21 degrees", tool_call_id: "c1" }],
    ["convertResponsesToRich", { role: "user", content: [{ type: "input_text", text: "Hello" }] }],
    [
      "convertAnthropicToRich",
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read", input: {} }] },
    ],
    ["convertAnthropicToRich", { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "x" }] }],
  ])("names %s for a message of another API", (convert, message) => {
    const list = [{ role: "user", content: "How warm is it?" }, message];
    expect(() => toRichWindow(list)).toThrow(new RegExp(`message 1.*${convert} from "throughline/messages"`));
  });
});
