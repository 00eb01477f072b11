import fc from "fast-check";
import { completeMessage, type Message, type Role } from "./message.ts";
import type { ForeignFormat, PartDraft } from "./part.ts";

// Few ids, so that orphans, duplicates and reused ids occur.
const callId = fc.constantFrom("a", "b", "c", "call|odd", "x".repeat(50));
const toolName = fc.constantFrom("read", "bash", "mcp.files/read", "", "t".repeat(70));
const text = fc.oneof(fc.string(), fc.constantFrom("", "  ", "hello"));

export const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  "ai-sdk",
  "ai-sdk-ui",
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
  "opencode",
  "pi",
  "copilot",
];

const opaquePart: fc.Arbitrary<PartDraft> = fc.record({
  type: fc.constant("opaque" as const),
  format: fc.constantFrom(...FOREIGN_FORMATS),
  value: fc.constantFrom<unknown[]>({ type: "hologram", data: "x" }, "no object"),
});

const anyPart: fc.Arbitrary<PartDraft> = fc.oneof(
  { weight: 3, arbitrary: text.map((value): PartDraft => ({ type: "text", text: value })) },
  text.map((value): PartDraft => ({ type: "reasoning", text: value })),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("tool-call" as const),
      toolCallId: callId,
      toolName,
      input: fc.jsonValue(),
      providerExecuted: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("tool-result" as const),
      toolCallId: callId,
      toolName,
      output: fc.oneof(
        fc.string().map((value) => ({ type: "text" as const, value })),
        fc.jsonValue().map((value) => ({ type: "json" as const, value })),
      ),
    }),
  },
  fc.record({
    type: fc.constant("tool-approval-request" as const),
    approvalId: fc.constantFrom("p", "q"),
    toolCallId: callId,
  }),
  fc.record({
    type: fc.constant("tool-approval-response" as const),
    approvalId: fc.constantFrom("p", "q"),
    approved: fc.boolean(),
  }),
  fc.constant<PartDraft>({
    type: "file",
    mediaType: "image/png",
    data: { type: "url", url: "https://example.com/a.png" },
  }),
  fc.constant<PartDraft>({
    type: "file",
    mediaType: "application/pdf",
    data: { type: "reference", reference: { anthropic: "file_1" } },
  }),
  opaquePart,
  fc.constant<PartDraft>({ type: "step-start" }),
  fc.constant<PartDraft>({
    type: "compaction-marker",
    summary: "## Session Summary",
    compactedAt: 0,
    messagesCompacted: 1,
    originalTokens: 1,
  }),
);

/** Arbitrary messages, most of them illegal. */
export const anyWindow: fc.Arbitrary<Message[]> = fc
  .array(
    fc.record({
      role: fc.constantFrom<Role[]>("system", "user", "assistant", "assistant", "tool"),
      parts: fc.array(anyPart, { maxLength: 5 }),
      provenance: fc.constantFrom(...FOREIGN_FORMATS).map((format) => ({ format })),
      tokens: fc.constant(7),
    }),
    { maxLength: 12 },
  )
  .map((drafts) => drafts.map((draft, index) => completeMessage(draft, index)));

/** A legal session: user message, parallel tool calls, results. */
export const legalWindow: fc.Arbitrary<Message[]> = fc
  .array(fc.record({ said: fc.string(), steps: fc.array(fc.nat({ max: 3 }), { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((turns) => {
    let count = 0;
    const drafts = turns.flatMap(({ said, steps }) => [
      { role: "user" as const, parts: [{ type: "text", text: `u ${said}` } satisfies PartDraft] },
      ...steps.flatMap((calls) => {
        const ids = Array.from({ length: calls + 1 }, () => `call_${count++}`);
        return [
          { role: "assistant" as const, parts: ids.map((id) => callPart(id)) },
          { role: "tool" as const, parts: ids.map((id) => resultPart(id)) },
        ];
      }),
      { role: "assistant" as const, parts: [{ type: "text", text: "done" } satisfies PartDraft] },
    ]);
    return drafts.map((draft, index) => completeMessage(draft, index));
  });

export function callPart(toolCallId: string, input: unknown = {}): Extract<PartDraft, { type: "tool-call" }> {
  return { type: "tool-call", toolCallId, toolName: "read", input };
}

export function resultPart(toolCallId: string, value = "ok"): Extract<PartDraft, { type: "tool-result" }> {
  return { type: "tool-result", toolCallId, toolName: "read", output: { type: "text", value } };
}

export function opaquePartOf(format: ForeignFormat): Extract<PartDraft, { type: "opaque" }> {
  return { type: "opaque", format, value: { type: "hologram", data: "x" } };
}

/** Makes a draft: `say("user", "hello")` or `say("assistant", callPart("a"))`. */
export function say(role: Role, ...parts: (string | PartDraft)[]): { role: Role; parts: PartDraft[] } {
  return { role, parts: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)) };
}

export function windowOf(...drafts: { role: Role; parts: PartDraft[] }[]): Message[] {
  return drafts.map((draft, index) => completeMessage(draft, index));
}
