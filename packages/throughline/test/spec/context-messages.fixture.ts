import type {
  AssistantMessage,
  MessagePart,
  RichMessage,
  RichMessageBase,
  ToolMessage,
  UserMessage,
} from "../../src/exports/messages.ts";

export const base = (id: string): RichMessageBase => ({ id, sessionId: "s", createdAt: 1, tokens: 0 });
export const user = (id: string, text = id): UserMessage => ({
  ...base(id),
  role: "user",
  parts: [{ id: `${id}.0`, type: "text", text }],
});
export const reply = (id: string, ...parts: MessagePart[]): AssistantMessage => ({
  ...base(id),
  role: "assistant",
  parts,
});
export const said = (id: string): AssistantMessage => reply(id, { id: `${id}.0`, type: "text", text: id });
export const called = (id: string): AssistantMessage =>
  reply(id, { id: `${id}.0`, type: "tool-call", toolCallId: id, toolName: "read", input: { path: id } });
export const answered = (id: string, words: number): ToolMessage => ({
  ...base(`${id}-result`),
  role: "tool",
  parts: [
    {
      id: `${id}-result.0`,
      type: "tool-result",
      toolCallId: id,
      toolName: "read",
      output: { type: "text", value: `${id} ${"word ".repeat(words)}` },
    },
  ],
});
export const turn = (id: string, words: number): RichMessage[] => [
  user(`${id}-question`),
  called(id),
  answered(id, words),
  said(`${id}-done`),
];
export const turns = (count: number, words: number) =>
  Array.from({ length: count }, (_, i) => turn(`t${i}`, words)).flat();
export const summaryOf = (summary: string): AssistantMessage => ({
  ...reply("sum", {
    id: "sum.0",
    type: "compaction-marker",
    summary,
    compactedAt: 1,
    messagesCompacted: 4,
    originalTokens: 900,
  }),
  isSummary: true,
});
