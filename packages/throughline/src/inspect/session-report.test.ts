import { expect, test } from "vitest";
import { completeMessage, type MessageDraft } from "../message/message.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { findEvidence, reportSession, worstCompaction } from "./session-report.ts";

const counter = createTokenCounter("gpt-4o", {});
const said = (text: string): MessageDraft => ({ role: "user", parts: [{ type: "text", text }] });
const readSpeech = (message: { readonly parts: readonly { readonly type: string }[] }) => {
  const [part] = message.parts as readonly { readonly text?: string }[];
  return part?.text ?? "";
};

test("a compaction after the last message is reported", async () => {
  const messages = [said("Go on.")].map((draft, i) => completeMessage(draft, i));
  const compactions = [{ at: 1, summary: "Nothing was done.", tokensAfter: 5 }];
  const report = await reportSession({ id: "s", meta: {}, messages, compactions }, { counter, readSpeech });
  expect(report.compactions).toMatchObject([{ call: 0, tokensAfter: 5, items: [{ message: 0 }] }]);
});

test("a message has the number of its tool calls, and whether it has text besides", async () => {
  const call = { type: "tool-call", toolName: "Bash", input: { command: "ls" } } as const;
  const drafts: MessageDraft[] = [
    said("Go on."),
    { role: "assistant", parts: [{ ...call, toolCallId: "a" }] },
    {
      role: "assistant",
      parts: [
        { type: "text", text: "I look." },
        { ...call, toolCallId: "b" },
      ],
    },
  ];
  const messages = drafts.map((draft, i) => completeMessage(draft, i));
  const report = await reportSession({ id: "s", meta: {}, messages, compactions: [] }, { counter, readSpeech });
  expect(report.messages.map(({ toolCalls, isOnlyCalls }) => [toolCalls, isOnlyCalls])).toEqual([
    [undefined, undefined],
    [1, true],
    [1, undefined],
  ]);
});

test("the title is the first request as the user typed it", async () => {
  const command =
    "<command-message>debug</command-message> <command-name>/debug</command-name> <command-args>the totals</command-args>";
  const drafts = [said("<system-reminder>Be brief.</system-reminder>"), said(command), said("Go on.")];
  const messages = drafts.map((draft, i) => completeMessage(draft, i));
  const report = await reportSession({ id: "s", meta: {}, messages, compactions: [] }, { counter, readSpeech });
  expect(report.title).toBe("/debug the totals");
});

function inspected(missing: readonly string[], tokens: readonly number[] = []) {
  return {
    summary: "Done.",
    review: { calls: 40, needed: missing.length, kept: 0, keptNames: [], missing },
    lookups: tokens.map((size, message) => ({ toolName: "Read", target: "a.ts", message, tokens: size })),
  };
}

test("the worst compaction lost most names, then most tokens", () => {
  expect(worstCompaction([inspected(["a"], [9_000]), inspected(["a", "b"]), inspected([])])).toBe(1);
  expect(worstCompaction([inspected(["a"]), inspected(["a"], [10])])).toBe(1);
  expect(worstCompaction([])).toBe(-1);
});

test("names count as gone only if the summary can be read", () => {
  const { summary: _, ...unreadable } = inspected(["a", "b"]);
  expect(worstCompaction([unreadable, inspected(["a"])])).toBe(1);
});

const saidLine = (text: string): MessageDraft => ({ role: "user", parts: [{ type: "text", text }] });
const wrote = (id: string, text: string): MessageDraft => ({
  role: "assistant",
  parts: [{ type: "tool-call", toolCallId: id, toolName: "Write", input: { content: text } }],
});
const searched = [
  saidLine("Look at sumOfOrder."),
  wrote("a", 'const total = "sum";\nreturn sumOfOrder(lines);'),
  saidLine("The summary."),
  saidLine("sumOfOrder is what we need."),
  wrote("b", `${"x ".repeat(100)}sumOfOrder ${"y ".repeat(100)}`),
].map((draft, i) => completeMessage(draft, i));

test("a gone name is shown in the last message that had it, and in the first call that used it again", async () => {
  const [found] = await findEvidence(["sumOfOrder"], searched, 2);
  expect(found?.source).toEqual({ message: 1, text: 'Write const total = "sum"; return sumOfOrder(lines);' });
  expect(found?.use?.message).toBe(4);
  expect(found?.use?.text).toMatch(/^…[x ]{40,60}sumOfOrder [y ]{40,60}…$/);
});

test("a name that no message has is listed without places", async () => {
  expect(await findEvidence(["other"], searched, 2)).toEqual([{ name: "other" }]);
});
