import { piecesOf } from "./anthropic-answer.ts";
import {
  countResponses,
  encryptedReasoning,
  type KeptResponses,
  readInput,
  refuseResponses,
} from "./openai-responses-rules.ts";
import { type Json, type Provider, type Reply, refused, type WireAnswer, type WireEvent } from "./provider.ts";

/** Answers `POST /v1/responses` and stores its responses, so that requests can continue from one. */
export function answerResponses(text: string, provider: Provider, kept: KeptResponses): WireAnswer {
  const body = JSON.parse(text) as Json;
  const input = readInput(body, kept);
  if ("status" in input) return refused(input);
  const refusal = refuseResponses(body, input, provider, kept);
  if (refusal !== undefined) return refused(refusal);
  const id = `resp_${kept.items.size + 1}`;
  const output = writeOutput(provider.answer(text, "responses"), id, body);
  const isStored = body.store !== false;
  keep(output, isStored, kept);
  if (isStored) kept.conversations.set(id, [...input, ...output]);
  const input_tokens = countResponses(body, input, provider);
  const response = {
    id,
    object: "response",
    created_at: 1,
    status: "completed",
    model: body.model ?? "local",
    output,
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + 10,
    },
    store: isStored,
  };
  return body.stream === true ? { events: eventsOf(response) } : { body: response };
}

function keep(output: readonly Json[], isStored: boolean, { items }: KeptResponses): void {
  const reasoning = output.find(({ type }) => type === "reasoning")?.id;
  for (const [index, item] of output.entries()) {
    const needs = item.id === reasoning ? undefined : String(reasoning);
    items.set(String(item.id), { item, isStored, reasoning: needs, following: output[index + 1] });
  }
}

function writeOutput({ text, calls = [] }: Reply, id: string, { include }: Json): readonly Json[] {
  const isEncrypted = Array.isArray(include) && include.includes("reasoning.encrypted_content");
  const said = { type: "message", id: `msg_${id}`, role: "assistant", status: "completed" };
  return [
    {
      type: "reasoning",
      id: `rs_${id}`,
      summary: [],
      ...(isEncrypted && { encrypted_content: encryptedReasoning(`rs_${id}`) }),
    },
    ...(text === undefined ? [] : [{ ...said, content: [{ type: "output_text", text, annotations: [] }] }]),
    ...calls.map(({ id: call_id, name, namespace, input }, index) => ({
      type: "function_call",
      id: `fc_${id}_${index}`,
      call_id,
      name,
      ...(namespace !== undefined && { namespace }),
      arguments: JSON.stringify(input),
      status: "completed",
    })),
  ];
}

function eventsOf(response: Json & { readonly output: readonly Json[] }): readonly WireEvent[] {
  const begun = { ...response, status: "in_progress", output: [] };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...response.output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: begunItem(item) },
      ...deltasOf(item, output_index),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response },
  ];
  return events.map((event, sequence_number) => ({
    name: event.type,
    data: JSON.stringify({ ...event, sequence_number }),
  }));
}

function begunItem(item: Json): Json {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  return item.type === "function_call" ? { ...item, status: "in_progress", arguments: "" } : item;
}

function deltasOf(item: Json, output_index: number): readonly (Json & { type: string })[] {
  const at = { item_id: item.id, output_index };
  if (item.type === "function_call") {
    return [
      { type: "response.function_call_arguments.delta", ...at, delta: item.arguments },
      { type: "response.function_call_arguments.done", ...at, arguments: item.arguments, name: item.name },
    ];
  }
  const [part] = (item.content ?? []) as readonly Json[];
  if (part === undefined) return [];
  const within = { ...at, content_index: 0 };
  return [
    { type: "response.content_part.added", ...within, part: { ...part, text: "" } },
    ...piecesOf(part.text).map((delta) => ({ type: "response.output_text.delta", ...within, delta, logprobs: [] })),
    { type: "response.output_text.done", ...within, text: part.text, logprobs: [] },
    { type: "response.content_part.done", ...within, part },
  ];
}
