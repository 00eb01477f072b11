import { expect, test } from "vitest";
import { completeMessage, type MessageDraft } from "../message/message.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { reportSession } from "./session-report.ts";

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
