import { countMessages, refuseMessages, thinkingSignature } from "./anthropic-rules.ts";
import { isJson, type Json, type Provider, refused, type WireAnswer, type WireEvent } from "./provider.ts";

let answers = 0;

/** Answers `POST /v1/messages`. */
export function answerMessages(text: string, provider: Provider): WireAnswer {
  const body = JSON.parse(text) as Json;
  const refusal = refuseMessages(body, provider);
  if (refusal !== undefined) return refused(refusal);
  const { thinking = "Let me think.", text: said, calls = [] } = provider.answer(text, "messages");
  const thinks = isJson(body.thinking) && body.thinking.type !== "disabled";
  answers += 1;
  const answer = {
    id: `msg_${answers}`,
    type: "message",
    role: "assistant",
    model: body.model ?? "local",
    content: [
      ...(thinks ? [{ type: "thinking", thinking, signature: thinkingSignature(thinking) }] : []),
      ...(said === undefined ? [] : [{ type: "text", text: said }]),
      ...calls.map((call) => ({ type: "tool_use", ...call })),
    ],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: countMessages(body, provider), output_tokens: 10 },
  };
  return body.stream === true ? { events: messagesEvents(answer) } : { body: answer };
}

/** An answer as the events in which it is streamed. */
function messagesEvents(answer: { readonly content: readonly Json[] } & Json): readonly WireEvent[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = answer;
  const events: (Json & { type: string })[] = [
    {
      type: "message_start",
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage },
    },
    { type: "ping" },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage: { output_tokens: 10 } },
    { type: "message_stop" },
  ];
  return events.map((event) => ({ name: event.type, data: JSON.stringify(event) }));
}

function emptied(block: Json): Json {
  if (block.type === "text") return { ...block, text: "" };
  return block.type === "thinking" ? { ...block, thinking: "", signature: "" } : { ...block, input: {} };
}

function deltasOf(block: Json): Json[] {
  if (block.type === "text") return piecesOf(block.text).map((text) => ({ type: "text_delta", text }));
  if (block.type === "thinking") {
    const deltas = piecesOf(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking }));
    return [...deltas, { type: "signature_delta", signature: block.signature }];
  }
  const written = JSON.stringify(block.input);
  const half = Math.ceil(written.length / 2);
  return [written.slice(0, half), written.slice(half)].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
}

export function piecesOf(text: unknown): readonly string[] {
  return String(text).match(/\S+\s*/g) ?? [];
}
