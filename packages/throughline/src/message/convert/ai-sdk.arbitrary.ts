import fc from "fast-check";
import { base64, id, json, open, type RawRecord, record, text, unknownBlock, url } from "./raw.arbitrary.ts";

const options = fc.oneof(
  fc.constantFrom<unknown>(
    { anthropic: { cacheControl: { type: "ephemeral" } } },
    { anthropic: { signature: "sig" } },
    { anthropic: { redactedData: "xx" } },
    { openai: { itemId: "msg_1", reasoningEncryptedContent: null } },
    {},
  ),
  fc.dictionary(fc.string(), fc.dictionary(fc.string(), json, { maxKeys: 2 }), { maxKeys: 2 }),
);
const mediaType = fc.constantFrom("image", "image/*", "image/png", "application/pdf", "text/plain", "audio/wav");
const bytes = fc.uint8Array({ maxLength: 8 });
const inline = fc.oneof(
  base64,
  text,
  bytes,
  bytes.map((array) => array.slice().buffer),
  bytes.map((array) => Buffer.from(array)),
);
const urlObject = url.map((href) => new URL(href));
const reference = fc.dictionary(fc.constantFrom("openai", "anthropic", "type"), fc.string(), { maxKeys: 2 });

/** SDK version whose shapes are generated; 7 includes those of 6. */
type SdkVersion = 6 | 7;

function fileData(version: SdkVersion): fc.Arbitrary<unknown> {
  const common = [inline, url, urlObject];
  if (version === 6) return fc.oneof(...common);
  return fc.oneof(
    ...common,
    reference,
    fc.record({ type: fc.constant("data"), data: inline }),
    record({ type: fc.constant("url"), url: urlObject }, { originalUrl: url }),
    fc.record({ type: fc.constant("reference"), reference }),
    fc.record({ type: fc.constant("text"), text }),
  );
}

const textPart = record({ type: fc.constant("text"), text }, { providerOptions: options });
const compaction = fc.record({
  type: fc.constant("text"),
  text,
  providerOptions: fc.constant({ anthropic: { type: "compaction" } }),
});
const reasoning = record({ type: fc.constant("reasoning"), text }, { providerOptions: options });
const file = (version: SdkVersion) =>
  record(
    { type: fc.constant("file"), data: fileData(version), mediaType },
    { filename: text, providerOptions: options },
  );
const image = (version: SdkVersion) =>
  record(
    { type: fc.constant("image"), image: version === 6 ? fileData(6) : fc.oneof(fileData(6), reference) },
    { mediaType, filename: text, providerOptions: options },
  );
const reasoningFile = record(
  { type: fc.constant("reasoning-file"), data: fc.oneof(inline, urlObject), mediaType },
  { filename: text, providerOptions: options },
);
const custom = record(
  { type: fc.constant("custom"), kind: fc.constant("openai.compaction") },
  { providerOptions: options },
);

const toolCall = record(
  { type: fc.constant("tool-call"), toolCallId: id, toolName: id, input: fc.oneof(json, fc.constant(undefined)) },
  { providerExecuted: fc.boolean(), providerOptions: options },
);
const contentItem = (version: SdkVersion) => {
  const data = { data: base64, mediaType };
  const kinds = [
    record({ type: fc.constant("text"), text }, { providerOptions: options }),
    record({ type: fc.constantFrom("file-data", "image-data"), ...data }, { providerOptions: options }),
    record({ type: fc.constantFrom("file-url", "image-url"), url }),
    record({ type: fc.constantFrom("file-id", "image-file-id"), fileId: fc.oneof(text, reference) }),
    record({ type: fc.constant("custom") }, { providerOptions: options }),
  ];
  const own =
    version === 6 ? { type: fc.constant("media"), ...data } : { type: fc.constant("file"), data: tagged, mediaType };
  return fc.oneof(...kinds, record(own));
};
const tagged = fc.oneof(
  fc.record({ type: fc.constant("data"), data: base64 }),
  fc.record({ type: fc.constant("url"), url: urlObject }),
);
const output = (version: SdkVersion) =>
  fc.oneof(
    record({ type: fc.constantFrom("text", "error-text"), value: text }, { providerOptions: options }),
    record({ type: fc.constantFrom("json", "error-json"), value: json }, { providerOptions: options }),
    record({ type: fc.constant("execution-denied") }, { reason: text, providerOptions: options }),
    record({ type: fc.constant("content"), value: fc.array(contentItem(version), { maxLength: 3 }) }),
  );
const toolResult = (version: SdkVersion) =>
  record(
    { type: fc.constant("tool-result"), toolCallId: id, toolName: id, output: output(version) },
    { providerOptions: options },
  );
const approvalRequest = record(
  { type: fc.constant("tool-approval-request"), approvalId: id, toolCallId: id },
  { signature: text, reason: text, isAutomatic: fc.boolean(), inputSchemaInput: json },
);
const approvalResponse = record(
  { type: fc.constant("tool-approval-response"), approvalId: id, approved: fc.boolean() },
  { reason: text, providerExecuted: fc.boolean() },
);

function list(...parts: fc.Arbitrary<RawRecord>[]): fc.Arbitrary<RawRecord[]> {
  return fc.array(fc.oneof(...parts), { maxLength: 4 });
}

/** Messages that the version's `modelMessageSchema` accepts, with unknown fields. */
export function sdkMessage(version: SdkVersion): fc.Arbitrary<RawRecord> {
  const newParts = version === 7 ? [custom, reasoningFile] : [];
  const said = [textPart, compaction, reasoning, file(version), toolCall, toolResult(version), approvalRequest];
  return fc.oneof(
    record({ role: fc.constant("system"), content: text }, { providerOptions: options }),
    record(
      { role: fc.constant("user"), content: fc.oneof(text, list(textPart, file(version), image(version))) },
      { providerOptions: options },
    ),
    record(
      { role: fc.constant("assistant"), content: fc.oneof(text, list(...said, ...newParts)) },
      { providerOptions: options },
    ),
    record(
      { role: fc.constant("tool"), content: list(toolResult(version), approvalResponse) },
      { providerOptions: options },
    ),
  );
}

/** Messages that no version accepts: unknown kinds of parts and outputs, and known fields of a wrong type. */
export const oddSdkMessage: fc.Arbitrary<RawRecord> = record(
  {
    role: fc.constantFrom("user", "assistant", "tool"),
    content: list(
      unknownBlock,
      open(fc.record({ type: fc.constant("text"), text, providerOptions: fc.constantFrom<unknown>(null, 1, "x") })),
      record({ type: fc.constant("tool-call"), toolCallId: id, toolName: id, input: json, providerExecuted: json }),
      record({
        type: fc.constant("tool-result"),
        toolCallId: id,
        toolName: id,
        output: json.filter((v) => v !== undefined),
      }),
      record({
        type: fc.constant("tool-result"),
        toolCallId: id,
        toolName: id,
        output: fc.record({ type: fc.constant("content"), value: fc.array(unknownBlock, { maxLength: 2 }) }),
      }),
      record({ type: fc.constant("tool-approval-response"), approvalId: id, approved: json, reason: json }),
    ),
  },
  { providerOptions: fc.constantFrom<unknown>(null, "x") },
);
