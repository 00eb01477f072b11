import fc from "fast-check";
import { base64, id, json, type RawRecord, record, text, unknownBlock, url } from "./raw.arbitrary.ts";

const cacheControl = fc.constantFrom<unknown>({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }, null);
const cached = { cache_control: cacheControl };
const type = (name: string) => ({ type: fc.constant(name) });

const textBlock = record({ ...type("text"), text }, { ...cached, citations: fc.constantFrom<unknown>(null, []) });
const compaction = record(
  { ...type("compaction"), content: fc.oneof(text, fc.constant(null)) },
  { ...cached, encrypted_content: text },
);
const thinking = record(
  { ...type("thinking"), thinking: text },
  { signature: fc.oneof(text, fc.constant(null)), ...cached },
);
const redacted = record({ ...type("redacted_thinking"), data: text });

const mediaType = fc.constantFrom("image/png", "image/jpeg", "application/pdf", "text/plain", "image", "x/y");
const source = fc.oneof(
  record({ ...type("base64"), media_type: mediaType, data: base64 }),
  record({ ...type("text"), media_type: mediaType, data: text }),
  record({ ...type("url"), url: fc.oneof(url, fc.constant("data:image/png;base64,AAAA")) }, { media_type: mediaType }),
  record({ ...type("file"), file_id: id }),
  record({ ...type("base64"), data: base64 }),
  record({ ...type("content"), content: json }),
);
const file = record(
  { type: fc.constantFrom("image", "document"), source },
  { ...cached, title: fc.oneof(text, fc.constant(null)), context: text },
);

const toolUse = record(
  { ...type("tool_use"), id, name: id, input: json },
  { ...cached, caller: fc.constant({ type: "direct" }) },
);
const serverUse = record(
  { type: fc.constantFrom("server_tool_use", "mcp_tool_use"), id, name: id, input: json },
  { server_name: text },
);
const resultContent = fc.oneof(
  text,
  fc.array(
    fc.oneof(
      textBlock,
      file,
      unknownBlock,
      compaction,
      record({ type: fc.constantFrom("image-data", "media"), data: json }),
    ),
    { maxLength: 3 },
  ),
  json,
);
const toolResult = record(
  { ...type("tool_result"), tool_use_id: id },
  { content: resultContent, is_error: fc.constantFrom(true, false, null), ...cached },
);
const serverResult = record(
  { type: fc.constantFrom("web_search_tool_result", "mcp_tool_result", "new_tool_result"), tool_use_id: id },
  { content: json, is_error: fc.boolean(), ...cached },
);

const blocks = (...kinds: fc.Arbitrary<RawRecord>[]) => fc.array(fc.oneof(...kinds), { maxLength: 5 });

const anthropicMessage: fc.Arbitrary<RawRecord> = fc.oneof(
  record({
    role: fc.constant("user"),
    content: fc.oneof(text, blocks(textBlock, file, toolResult, toolResult, unknownBlock)),
  }),
  record(
    {
      role: fc.constant("assistant"),
      content: fc.oneof(
        text,
        blocks(textBlock, compaction, thinking, redacted, toolUse, serverUse, serverResult, unknownBlock),
      ),
    },
    { id, model: text, stop_reason: text, usage: json },
  ),
);

/** Conversations that Anthropic's API accepts, with unknown kinds and fields. */
export const anthropicConversation = fc.record(
  {
    system: fc.oneof(text, blocks(textBlock, unknownBlock)),
    messages: fc.array(anthropicMessage, { maxLength: 5 }),
  },
  { requiredKeys: ["messages"] },
);
