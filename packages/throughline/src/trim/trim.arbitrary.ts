import fc from "fast-check";
import { completeMessage, type Message, type MessageDraft } from "../message/message.ts";
import type { PartDraft, ProviderOptions } from "../message/part.ts";

const SIGNATURES: readonly ProviderOptions[] = [
  { anthropic: { signature: "sig" } },
  { anthropic: { redactedData: "xx" } },
  { google: { thoughtSignature: "sig" } },
  { openai: { itemId: "rs_1", reasoningEncryptedContent: null } },
];
const size = fc.constantFrom(1, 5, 60, 400, 2_000);
const thought = fc.option(fc.record({ size, signature: fc.option(fc.constantFrom(...SIGNATURES)) }));
const step = fc.record({ thought, text: fc.option(size), results: fc.array(size, { maxLength: 3 }) });
const turn = fc.record({ lastUser: size, steps: fc.array(step, { maxLength: 5 }) });

/** A legal agent session with reasoning, partly signed, and parts of very different sizes. */
export const thinkingSession: fc.Arbitrary<Message[]> = fc
  .record({ hasSystem: fc.boolean(), turns: fc.array(turn, { minLength: 1, maxLength: 5 }) })
  .map(({ hasSystem, turns }) => {
    let calls = 0;
    const drafts = turns.flatMap(({ lastUser, steps }): MessageDraft[] => [
      { role: "user", parts: [{ type: "text", text: "please ".repeat(lastUser) }] },
      ...steps.flatMap(({ results, ...reply }) => {
        const ids = results.map((length) => ({ length, id: `call_${calls++}` }));
        return replyDrafts(reply, ids);
      }),
      { role: "assistant", parts: [{ type: "text", text: "done" }] },
    ]);
    const system: MessageDraft[] = hasSystem ? [{ role: "system", parts: [{ type: "text", text: "careful" }] }] : [];
    return [...system, ...joinReplies(drafts)].map((draft, index) => completeMessage(draft, index));
  });

type Reply = Omit<typeof step extends fc.Arbitrary<infer S> ? S : never, "results">;

function replyDrafts(
  { thought: thinks, text }: Reply,
  calls: readonly { id: string; length: number }[],
): MessageDraft[] {
  if (calls.length === 0 && text === null) return [];
  const named = (id: string) => ({ toolCallId: id, toolName: "read" });
  const parts: PartDraft[] = [
    ...(thinks === null
      ? []
      : [
          {
            type: "reasoning" as const,
            text: "hm ".repeat(thinks.size),
            ...(thinks.signature === null ? {} : { providerOptions: thinks.signature }),
          },
        ]),
    ...(text === null ? [] : [{ type: "text" as const, text: "well ".repeat(text) }]),
    ...calls.map(({ id }) => ({ type: "tool-call" as const, ...named(id), input: { path: `/${id}` } })),
  ];
  const answers = calls.map(({ id, length }) => ({
    type: "tool-result" as const,
    ...named(id),
    output: { type: "text" as const, value: "line ".repeat(length) },
  }));
  return [{ role: "assistant", parts }, ...(answers.length === 0 ? [] : [{ role: "tool" as const, parts: answers }])];
}

/** Merges consecutive replies, so that roles alternate. */
function joinReplies(drafts: readonly MessageDraft[]): MessageDraft[] {
  const joined: MessageDraft[] = [];
  for (const draft of drafts) {
    const last = joined.at(-1);
    if (last?.role === "assistant" && draft.role === "assistant") {
      joined.splice(-1, 1, { role: "assistant", parts: [...last.parts, ...draft.parts] });
    } else joined.push(draft);
  }
  return joined;
}
