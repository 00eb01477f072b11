import { countAll, firstDuplicate, type Json, listOf, type Provider, type Refusal } from "./provider.ts";

const ROLES = ["system", "developer", "user", "assistant", "tool"];

/** Checks a body of `POST /v1/chat/completions` as OpenAI does. */
export function refuseChat(body: Json, provider: Provider): Refusal | undefined {
  const wrong = checkMessages(body.messages);
  return wrong === undefined ? refuseLength(body, provider) : openAiRefusal(wrong, "messages");
}

export function openAiRefusal(message: string, param: string, code: string | null = null, status = 400): Refusal {
  const body = { error: { message, type: "invalid_request_error", param, code } };
  return { status, body, message, isOverflow: code === "context_length_exceeded" };
}

/** Tokens of the messages and of the functions. */
export function countChat({ messages, tools }: Json, provider: Provider): { messages: number; functions: number } {
  return { messages: countAll(messages, provider), functions: tools === undefined ? 0 : countAll(tools, provider) };
}

function refuseLength(body: Json, provider: Provider): Refusal | undefined {
  const { limit, countsReply = true } = provider;
  const { messages, functions } = countChat(body, provider);
  const reply = countsReply ? Number(body.max_completion_tokens ?? body.max_tokens ?? 0) : 0;
  const sum = messages + functions + reply;
  if (sum <= limit) return undefined;
  const parts = [
    `${messages} in the messages`,
    ...(functions > 0 ? [`${functions} in the functions`] : []),
    ...(reply > 0 ? [`${reply} in the completion`] : []),
  ].join(", ");
  const counted = reply > 0 ? `you requested ${sum} tokens` : `your messages resulted in ${sum} tokens`;
  const advice = `Please reduce the length of the messages${functions > 0 ? " or functions" : ""}${reply > 0 ? " or completion" : ""}.`;
  const message = `This model's maximum context length is ${limit} tokens. However, ${counted} (${parts}). ${advice}`;
  return openAiRefusal(message, "messages", "context_length_exceeded");
}

const TOOL_WITHOUT_CALLS =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";

/** Each call is answered once, directly after it. Other tool messages are refused. */
function checkMessages(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "Missing required parameter: 'messages'.";
  if (messages.length === 0)
    return "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
  let called: readonly string[] = [];
  let waiting: readonly string[] = [];
  for (const [index, message] of listOf(messages).entries()) {
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (called.length === 0) return TOOL_WITHOUT_CALLS;
      if (!waiting.includes(id))
        return `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`;
      waiting = waiting.filter((one) => one !== id);
      continue;
    }
    const wrong = checkAnswered(waiting) ?? checkSpoken(message, index);
    if (wrong !== undefined) return wrong;
    called = listOf(message.tool_calls).map(({ id }) => String(id));
    waiting = called;
  }
  return checkAnswered(waiting);
}

function checkAnswered(waiting: readonly string[]): string | undefined {
  if (waiting.length === 0) return undefined;
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${waiting.join(", ")}`;
}

function checkSpoken({ role, content, tool_calls: calls }: Json, index: number): string | undefined {
  if (!ROLES.includes(String(role)))
    return `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`;
  const at = `messages[${index}]`;
  if (Array.isArray(calls) && calls.length === 0)
    return `Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  if ((content ?? null) === null && calls === undefined)
    return "Invalid value for 'content': expected a string, got null.";
  if (Array.isArray(content) && content.length === 0)
    return `Invalid '${at}.content': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  const asked = listOf(calls);
  const untold = asked.findIndex(({ function: called }) => typeof (called as Json | undefined)?.arguments !== "string");
  if (untold >= 0) return `Invalid type for '${at}.tool_calls[${untold}].function.arguments': expected a string.`;
  const twice = firstDuplicate(asked.map(({ id }) => String(id)));
  return twice === undefined ? undefined : `Duplicate value for 'tool_call_id' of '${twice}' in ${at}.`;
}
