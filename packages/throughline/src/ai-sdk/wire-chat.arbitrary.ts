import { convertChatToRich, type OpenAiChatMessage } from "../message/convert/openai-chat.ts";
import { validateWindow } from "../message/validate-window.ts";
import { countAll, type Provider, type Reply, type WireAnswer } from "./wire-provider.arbitrary.ts";

type Json = Record<string, unknown>;
type ChatMessage = Json & {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: Json }[];
};

interface ChatBody {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
}

const HEAD = { id: "chatcmpl-1", created: 1, model: "local" };

/** As OpenAI answers `/chat/completions`. */
export function answerChat(text: string, provider: Provider): WireAnswer {
  const body = JSON.parse(text) as ChatBody;
  const wrong = check(body.messages);
  if (wrong !== undefined) return refuse(wrong, null);
  const { max_tokens: reply = 0 } = body;
  const own = countAll(body.messages, provider);
  const tools = body.tools ? countAll(body.tools, provider) : 0;
  if (own + tools + reply > provider.limit) {
    const parts = `${own} in the messages, ${tools} in the functions, ${reply} in the completion`;
    const limit = `This model's maximum context length is ${provider.limit} tokens.`;
    return refuse(
      `${limit} However, you requested ${own + tools + reply} tokens (${parts}).`,
      "context_length_exceeded",
    );
  }
  return write(provider.answer(text), own + tools, body.stream === true);
}

function refuse(message: string, code: string | null): WireAnswer {
  const body = { error: { message, type: "invalid_request_error", param: "messages", code } };
  return { body, refusal: message, isOverflow: code !== null };
}

function write({ text, calls }: Reply, input: number, isStream: boolean): WireAnswer {
  const tool_calls = calls?.map(({ id, name, input: given }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(given) },
  }));
  const finish_reason = tool_calls ? "tool_calls" : "stop";
  const usage = { prompt_tokens: input, completion_tokens: 10, total_tokens: input + 10 };
  if (!isStream) {
    const message = { role: "assistant", content: text ?? null, ...(tool_calls ? { tool_calls } : {}) };
    return { body: { ...HEAD, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage } };
  }
  const chunk = (delta: Json, finish: string | null = null, more: Json = {}) =>
    JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }], ...more });
  const events = [
    chunk({ role: "assistant" }),
    ...(text?.match(/\S+\s*/g) ?? []).map((content) => chunk({ content })),
    ...(tool_calls ?? []).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, finish_reason, { usage }),
    "[DONE]",
  ];
  return { events };
}

/** Each call is answered right behind it, and nothing else is. */
function check(messages: readonly ChatMessage[]): string | undefined {
  if (messages.length === 0) return "[] is too short - 'messages'";
  let waiting: readonly string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!waiting.includes(id))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      waiting = waiting.filter((one) => one !== id);
      continue;
    }
    if (waiting.length > 0) return `tool_call_ids did not have response messages: ${waiting.join(", ")}`;
    const wrong = checkSpoken(message);
    if (wrong !== undefined) return wrong;
    waiting = (message.tool_calls ?? []).map(({ id }) => id);
  }
  if (waiting.length > 0) return `tool_call_ids did not have response messages: ${waiting.join(", ")}`;
  return validateWindow(convertChatToRich(messages as unknown as OpenAiChatMessage[]), "openai")[0]?.text;
}

function checkSpoken({ role, content, tool_calls = [] }: ChatMessage): string | undefined {
  if (!["system", "user", "assistant"].includes(role)) return `Invalid role: ${role}`;
  if ((content ?? "") === "" && tool_calls.length === 0)
    return "Invalid value for 'content': expected a string, got null";
  for (const { function: called } of tool_calls) JSON.parse(String(called.arguments));
  const ids = tool_calls.map(({ id }) => id);
  return new Set(ids).size < ids.length ? "Duplicate tool call ids" : undefined;
}
