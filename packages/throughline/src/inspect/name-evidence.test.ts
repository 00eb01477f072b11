import { expect, test } from "vitest";
import { completeMessage, type MessageDraft } from "../message/message.ts";
import { findEvidence } from "./name-evidence.ts";

const said = (text: string): MessageDraft => ({ role: "user", parts: [{ type: "text", text }] });
const wrote = (id: string, text: string): MessageDraft => ({
  role: "assistant",
  parts: [{ type: "tool-call", toolCallId: id, toolName: "Write", input: { content: text } }],
});
const messages = [
  said("Look at sumOfOrder."),
  wrote("a", 'const total = "sum";\nreturn sumOfOrder(lines);'),
  said("The summary."),
  said("sumOfOrder is what we need."),
  wrote("b", `${"x ".repeat(100)}sumOfOrder ${"y ".repeat(100)}`),
].map((draft, i) => completeMessage(draft, i));

test("a gone name is shown in the last message that had it, and in the first call that used it again", async () => {
  const [found] = await findEvidence(["sumOfOrder"], messages, 2);
  expect(found?.source).toEqual({ message: 1, text: 'Write const total = "sum"; return sumOfOrder(lines);' });
  expect(found?.use?.message).toBe(4);
  expect(found?.use?.text).toMatch(/^…[x ]{40,60}sumOfOrder [y ]{40,60}…$/);
});

test("a name that no message has is listed without places", async () => {
  expect(await findEvidence(["other"], messages, 2)).toEqual([{ name: "other" }]);
});
