import type { UIMessage } from "ai";
import fc from "fast-check";
import { text, writableJson } from "./raw.arbitrary.ts";

type Fields = Record<string, unknown>;

const metadata = fc.option(fc.constantFrom({ openai: { itemId: "i" } }, { anthropic: { signature: "s" } }), {
  nil: undefined,
});
const plain = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "reasoning"), text, providerMetadata: metadata }),
  fc.record({
    type: fc.constant("file"),
    mediaType: fc.constantFrom("image/png", "application/pdf"),
    url: fc.constantFrom("https://example.com/a.png", "data:image/png;base64,AAAA"),
    filename: fc.option(text, { nil: undefined }),
    providerMetadata: metadata,
  }),
  fc.record({ type: fc.constant("data-weather"), data: writableJson }),
  fc.constant({ type: "source-url", sourceId: "s", url: "https://example.com" }),
  fc.constant({ type: "step-start" }),
);
/** Parts that only version 7 has. */
const newest = fc.oneof(
  fc.constant({ type: "custom", kind: "openai.compaction", providerMetadata: { openai: { itemId: "cmp_1" } } }),
  fc.constant({ type: "reasoning-file", mediaType: "image/png", url: "https://example.com/a.png" }),
  fc.constant({ type: "file", mediaType: "application/pdf", url: "", providerReference: { openai: "file-1" } }),
  text.map((value) => ({ type: "steering-message", id: "s", parts: [{ type: "text", text: value }] })),
);

const approval = (approved: boolean | undefined) =>
  fc.record(
    {
      id: fc.constant("p"),
      approved: fc.constant(approved),
      ...(approved === undefined ? {} : { reason: text }),
      requestReason: text,
      isAutomatic: fc.boolean(),
      signature: text,
      inputSchemaInput: writableJson,
    },
    { requiredKeys: ["id", "approved"] },
  );
const state: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({ state: fc.constant("input-streaming"), input: fc.constant(undefined) }),
  fc.record({ state: fc.constant("input-available"), input: writableJson }),
  fc.record({ state: fc.constant("approval-requested"), input: writableJson, approval: approval(undefined) }),
  fc.record({
    state: fc.constant("approval-responded"),
    input: writableJson,
    approval: fc.oneof(approval(true), approval(false)),
  }),
  fc.record(
    { state: fc.constant("output-available"), input: writableJson, output: writableJson, approval: approval(true) },
    { requiredKeys: ["state", "input", "output"] },
  ),
  fc.record(
    { state: fc.constant("output-error"), input: writableJson, errorText: text, approval: approval(true) },
    { requiredKeys: ["state", "input", "errorText"] },
  ),
  fc.record({ state: fc.constant("output-denied"), input: writableJson, approval: approval(false) }),
);
const kind = fc.constantFrom<Fields>({ type: "tool-read" }, { type: "dynamic-tool", toolName: "search" });
const tool = fc
  .tuple(
    kind,
    state,
    fc.record(
      {
        providerExecuted: fc.boolean(),
        callProviderMetadata: fc.constant({ openai: { itemId: "c" } }),
        resultProviderMetadata: fc.constant({ openai: { itemId: "r" } }),
        title: text,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([named, stated, more]) => ({ ...named, toolCallId: "a", ...stated, ...more }));

/** Messages of `useChat` with tools in any state. */
export function uiMessages(version: 6 | 7): fc.Arbitrary<UIMessage[]> {
  const said = version === 7 ? fc.oneof(plain, plain, tool, tool, newest) : fc.oneof(plain, tool);
  const message = fc.oneof(
    fc.record({ role: fc.constant("system"), parts: fc.array(plain, { maxLength: 2 }) }),
    fc.record({ role: fc.constant("user"), parts: fc.array(plain, { maxLength: 3 }) }),
    fc.record({ role: fc.constant("assistant"), parts: fc.array(said, { maxLength: 6 }) }),
  );
  return fc.array(message, { maxLength: 4 }).map((messages) => {
    let calls = 0;
    const named = messages.map(({ role, parts }, m) => ({
      id: `m${m}`,
      role,
      parts: parts.map((part) => ("toolCallId" in part ? { ...part, toolCallId: `call_${calls++}` } : part)),
    }));
    return named as unknown as UIMessage[];
  });
}
