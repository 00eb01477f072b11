import { piecesOf } from "./anthropic-answer.ts";
import { countChat, refuseChat } from "./openai-chat-rules.ts";
import { type Json, type Provider, refused, type WireAnswer } from "./provider.ts";

let answers = 0;

/** Answers `POST /v1/chat/completions`. */
export function answerChat(text: string, provider: Provider): WireAnswer {
  const body = JSON.parse(text) as Json;
  const refusal = refuseChat(body, provider);
  if (refusal !== undefined) return refused(refusal);
  const { text: said, calls } = provider.answer(text, "chat");
  const tool_calls = calls?.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const { messages, functions } = countChat(body, provider);
  const prompt_tokens = messages + functions;
  const usage = { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 };
  const finish_reason = tool_calls ? "tool_calls" : "stop";
  answers += 1;
  const head = { id: `chatcmpl-${answers}`, created: 1, model: body.model ?? "local" };
  if (body.stream !== true) {
    const message = { role: "assistant", content: said ?? null, ...(tool_calls && { tool_calls }) };
    return { body: { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage } };
  }
  const chunk = (delta: Json, finish: string | null = null, more: Json = {}) =>
    JSON.stringify({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...more,
    });
  const events = [
    chunk({ role: "assistant", content: "" }),
    ...(said === undefined ? [] : piecesOf(said)).map((content) => chunk({ content })),
    ...(tool_calls ?? []).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, finish_reason, { usage }),
    "[DONE]",
  ];
  return { events: events.map((data) => ({ data })) };
}
