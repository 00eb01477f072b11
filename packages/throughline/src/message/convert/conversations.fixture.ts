import type { AnthropicConversation } from "./anthropic.ts";
import type { OpenAiChatMessage } from "./openai/openai-chat.ts";
import type { OpenAiResponsesItem } from "./openai/openai-responses.ts";

/** A 1×1 image. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A conversation with all Anthropic features: thinking, images, parallel calls, a server-side search. */
export const anthropicExample: AnthropicConversation = {
  system: [
    { type: "text", text: "You are a builder." },
    { type: "text", text: "Rules.", cache_control: { type: "ephemeral" } },
  ],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "What is in these?" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
        { type: "document", title: "n.txt", source: { type: "text", media_type: "text/plain", data: "note" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I should look.", signature: "sig" },
        { type: "redacted_thinking", data: "hidden" },
        { type: "text", text: "Looking." },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "png" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_1",
          content: [{ type: "web_search_result", url: "u" }],
        },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.png" } },
        { type: "tool_use", id: "toolu_2", name: "bash", input: { command: "ls" } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [
            { type: "text", text: "a picture" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
            { type: "search_result", source: "s", title: "t", content: [] },
          ],
        },
        { type: "tool_result", tool_use_id: "toolu_2", content: "no such file", is_error: true },
        { type: "text", text: "go on" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "compaction", content: "so far" },
        { type: "text", text: "A dot." },
      ],
    },
    { role: "user", content: "Thanks." },
  ],
};

export const chatExample: OpenAiChatMessage[] = [
  { role: "developer", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}`, detail: "low" } },
      { type: "file", file: { file_id: "file-1" } },
    ],
  },
  {
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    tool_calls: [
      { id: "call_1", type: "function", function: { name: "read", arguments: '{ "path": "x" }' } },
      { id: "call_2", type: "custom", custom: { name: "patch", input: "*** Begin" } },
    ],
  },
  { role: "tool", tool_call_id: "call_1", content: [{ type: "file", file: { file_id: "file-1" } }] },
  { role: "tool", tool_call_id: "call_2", content: "done" },
  { role: "assistant", content: [{ type: "refusal", refusal: "no" }], refusal: "no" },
  { role: "user", content: "Why?" },
];

export const responsesExample: OpenAiResponsesItem[] = [
  { type: "compaction", encrypted_content: "xx" },
  {
    role: "user",
    content: [
      { type: "input_text", text: "Find it." },
      { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
      { type: "input_file", file_id: "file-1" },
    ],
  },
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "search" }], encrypted_content: "xx" },
  { type: "web_search_call", status: "completed", action: { type: "search", query: "x" } },
  { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "{}" },
  { type: "custom_tool_call", call_id: "call_2", name: "patch", input: "*** Begin" },
  {
    type: "function_call_output",
    call_id: "call_1",
    output: [{ type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "high" }],
  },
  { type: "custom_tool_call_output", call_id: "call_2", output: "done" },
  {
    type: "message",
    role: "assistant",
    id: "msg_1",
    content: [{ type: "output_text", text: "Found.", annotations: [] }],
  },
  { role: "user", content: "Thanks." },
];
