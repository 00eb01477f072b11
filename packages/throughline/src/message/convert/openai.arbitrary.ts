import fc from "fast-check";
import { argumentsText, base64, id, json, type RawRecord, record, text, unknownBlock, url } from "./raw.arbitrary.ts";

const type = (name: string) => ({ type: fc.constant(name) });
const wrong = fc.constantFrom<unknown>(null, 1, {}, []);
const dataUrl = fc
  .tuple(fc.constantFrom("image/png", "image", "application/pdf", "text/plain", "audio/wav", ""), base64)
  .map(([mediaType, data]) => `data:${mediaType};base64,${data}`);
const anyUrl = fc.oneof(url, dataUrl, text);

const fileBody = {
  filename: fc.oneof(text, wrong),
  file_data: fc.oneof(dataUrl, base64, wrong),
  file_id: fc.oneof(id, wrong),
  file_url: fc.oneof(anyUrl, wrong),
};
const audio = record({
  ...type("input_audio"),
  input_audio: record({ data: base64, format: fc.constantFrom("wav", "mp3", "constructor", "__proto__", "ogg") }),
});

const chatText = record({ ...type("text"), text }, { prompt_cache_breakpoint: json });
const chatPiece = fc.oneof(
  chatText,
  record({ ...type("image_url"), image_url: fc.oneof(anyUrl, record({ url: anyUrl }, { detail: text, file_id: id })) }),
  record({ ...type("file"), file: record({}, fileBody) }),
  audio,
  record({ ...type("refusal"), refusal: text }),
  record({ ...type("input_text"), text }),
  unknownBlock,
);
const toolCall = fc.oneof(
  record({ id, ...type("function"), function: record({ name: id, arguments: argumentsText }) }, { index: json }),
  record({ id, function: record({ name: id, arguments: argumentsText }) }),
  record({ id, ...type("custom"), custom: record({ name: id, input: text }) }),
  record({ ...type("mcp") }, { id, function: json }),
);
const spoken = {
  content: fc.oneof(text, fc.constant(null), fc.array(chatPiece, { maxLength: 4 })),
  reasoning_content: fc.oneof(text, wrong),
  tool_call_id: id,
  name: text,
  refusal: fc.oneof(text, fc.constant(null)),
  audio: json,
};

/** Chat completion messages, with fields that only some services use. */
export const chatMessage: fc.Arbitrary<RawRecord> = fc.oneof(
  record({ role: fc.constantFrom("system", "developer", "user") }, spoken),
  record(
    { role: fc.constant("assistant") },
    { ...spoken, tool_calls: fc.oneof(fc.array(toolCall, { maxLength: 3 }), fc.constant(null)), function_call: json },
  ),
  record(
    { role: fc.constant("tool"), tool_call_id: id },
    {
      content: fc.oneof(text, fc.array(chatPiece, { maxLength: 3 }), json),
      name: text,
      tool_calls: json,
      reasoning_content: text,
    },
  ),
);

const inputText = record({ ...type("input_text"), text }, { text_extra: json });
const inputImage = record(
  { ...type("input_image") },
  { image_url: fc.oneof(anyUrl, wrong), file_id: fc.oneof(id, wrong), detail: text, url: text },
);
const inputFile = record({ ...type("input_file") }, fileBody);
const responsesPiece = fc.oneof(
  inputText,
  record({ ...type("output_text"), text }, { annotations: json, logprobs: json }),
  record({ ...type("text"), text }),
  inputImage,
  inputFile,
  audio,
  record({ ...type("refusal"), refusal: text }),
  record({ ...type("image_url"), image_url: anyUrl }),
  unknownBlock,
);
const messageItem = record(
  {
    role: fc.constantFrom("user", "assistant", "system", "developer"),
    content: fc.oneof(text, fc.array(responsesPiece, { maxLength: 4 })),
  },
  { ...type("message"), id, status: text, phase: text },
);
const reasoningItem = record(
  { ...type("reasoning") },
  {
    id: fc.oneof(id, wrong),
    summary: fc.oneof(fc.array(record({ ...type("summary_text"), text }), { maxLength: 3 }), wrong),
    content: fc.oneof(fc.array(record({ ...type("reasoning_text"), text }), { maxLength: 2 }), wrong),
    encrypted_content: fc.oneof(text, fc.constant(null)),
    status: text,
  },
);
const callId = { call_id: fc.oneof(id, wrong) };
const callItem = fc.oneof(
  record({ ...type("function_call"), call_id: id, name: id, arguments: argumentsText }, { id, status: text }),
  record({ ...type("function_call") }, { ...callId, name: id, arguments: argumentsText }),
  record({ ...type("custom_tool_call"), call_id: id, name: id, input: text }, { id }),
  record({ ...type("custom_tool_call") }, { ...callId, name: id, input: json }),
  record(
    { type: fc.constantFrom("web_search_call", "mcp_call", "computer_call", "tool_search_call", "brand new_call") },
    {
      ...callId,
      id,
      name: id,
      action: json,
      arguments: fc.oneof(argumentsText, json),
      output: json,
      status: text,
      input: json,
    },
  ),
);
const outputItem = record(
  {
    type: fc.constantFrom(
      "function_call_output",
      "custom_tool_call_output",
      "computer_call_output",
      "tool_search_output",
      "brand new_call_output",
    ),
  },
  {
    call_id: fc.oneof(id, id, wrong),
    id,
    tools: json,
    output: fc.oneof(text, fc.array(fc.oneof(responsesPiece, inputImage, inputFile), { maxLength: 3 }), json),
  },
);

/** Responses items, with unknown kinds. */
export const responsesItem: fc.Arbitrary<RawRecord> = fc.oneof(
  messageItem,
  messageItem,
  reasoningItem,
  callItem,
  outputItem,
  record(
    { type: fc.constantFrom("compaction", "item_reference", "mcp_list_tools", "constructor", "__proto__") },
    { id, encrypted_content: text },
  ),
);
