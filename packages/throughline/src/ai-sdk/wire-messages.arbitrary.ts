import { type AnthropicConversation, convertAnthropicToRich } from "../message/convert/anthropic.ts";
import { validateWindow } from "../message/validate-window.ts";
import { countAll, type Provider, type WireAnswer } from "./wire-provider.arbitrary.ts";

type Block = Record<string, unknown> & { readonly type: string };

interface MessagesBody {
  readonly system?: string;
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly tools?: readonly unknown[];
  readonly max_tokens: number;
}

/** As Anthropic answers `/messages`. */
export function answerMessages(text: string, provider: Provider): WireAnswer {
  const body = JSON.parse(text) as MessagesBody;
  const wrong = check(body);
  if (wrong !== undefined) return refuse(wrong, false);
  const { limit } = provider;
  const { max_tokens: reply } = body;
  const input = countAll([body.system, body.messages, body.tools], provider);
  if (input > limit) return refuse(`prompt is too long: ${input} tokens > ${limit} maximum`, true);
  if (input + reply > limit) {
    const sum = `${input} + ${reply} > ${limit}`;
    const advice = "decrease input length or `max_tokens` and try again";
    return refuse(`input length and \`max_tokens\` exceed context limit: ${sum}, ${advice}`, true);
  }
  const { text: said, calls = [] } = provider.answer(text);
  const content = [
    ...(said === undefined ? [] : [{ type: "text", text: said }]),
    ...calls.map((call) => ({ type: "tool_use", ...call })),
  ];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  const usage = { input_tokens: input, output_tokens: 10 };
  return { body: { id: "msg_1", type: "message", role: "assistant", content, stop_reason, usage } };
}

function refuse(message: string, isOverflow: boolean): WireAnswer {
  return { body: { type: "error", error: { type: "invalid_request_error", message } }, refusal: message, isOverflow };
}

/** The user begins, turns alternate, results stand in the message behind their calls. */
function check({ system, messages }: MessagesBody): string | undefined {
  if (messages[0]?.role !== "user") return 'messages: first message must use the "user" role';
  let waiting: readonly string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role === messages[index - 1]?.role) return 'messages: roles must alternate between "user" and "assistant"';
    const wrong = checkBlocks(content, waiting);
    if (wrong !== undefined) return `messages.${index}: ${wrong}`;
    waiting = content.flatMap((block) => (block.type === "tool_use" ? [String(block.id)] : []));
  }
  if (waiting.length > 0) return "messages: `tool_use` ids were found without `tool_result` blocks at the end";
  const conversation = { ...(system === undefined ? {} : { system }), messages } as unknown as AnthropicConversation;
  return validateWindow(convertAnthropicToRich(conversation), "anthropic")[0]?.text;
}

function checkBlocks(content: readonly Block[], waiting: readonly string[]): string | undefined {
  if (content.length === 0) return "all messages must have non-empty content";
  const results = content.flatMap((block) => (block.type === "tool_result" ? [String(block.tool_use_id)] : []));
  const missing = waiting.filter((id) => !results.includes(id));
  if (missing.length > 0) return `\`tool_use\` ids were found without \`tool_result\` blocks: ${missing.join(", ")}`;
  const orphan = results.find((id) => !waiting.includes(id));
  if (orphan !== undefined) return `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`;
  const isBlank = content.some((block) => block.type === "text" && String(block.text).trim() === "");
  if (isBlank) return "text content blocks must contain non-whitespace text";
  const ids = content.flatMap((block) => (block.type === "tool_use" ? [String(block.id)] : []));
  if (!ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id)))
    return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
  return new Set(ids).size < ids.length ? "`tool_use` ids must be unique" : undefined;
}
