import { countAll, type Provider, type Reply, type WireAnswer } from "../../../ai-sdk/wire-provider.arbitrary.ts";
import { convertResponsesToRich, type OpenAiResponsesItem } from "../../../message/convert/openai-responses.ts";
import { validateWindow } from "../../../message/validate-window.ts";

interface ResponsesBody {
  readonly input: string | readonly OpenAiResponsesItem[];
  readonly instructions?: string;
  readonly tools?: readonly unknown[];
  readonly max_output_tokens?: number;
  readonly previous_response_id?: string;
  readonly store?: boolean;
  readonly stream?: boolean;
}

/** What the provider keeps of an answer: all that it was given for it, and what it said. */
export type KeptResponses = Map<string, readonly OpenAiResponsesItem[]>;

/** As OpenAI answers `/responses`: it keeps what it said, and can be told to go on from there. */
export function answerResponses(text: string, provider: Provider, kept: KeptResponses): WireAnswer {
  const body = JSON.parse(text) as ResponsesBody;
  const before = body.previous_response_id === undefined ? [] : kept.get(body.previous_response_id);
  if (before === undefined) return refuse(`Previous response with id '${body.previous_response_id}' not found.`, null);
  const given = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
  const found = [...before, ...given].map((item) => lookUp(item, kept));
  const items = found.filter((item) => item !== undefined);
  const wrong = items.length < found.length ? "Item not found." : check(items);
  if (wrong !== undefined) return refuse(wrong, null);
  const { max_output_tokens: reply = 0 } = body;
  const input = countAll([body.instructions, items, body.tools], provider);
  if (input + reply > provider.limit) {
    const sum = `${input} in the messages, ${reply} in the completion`;
    const limit = `This model's maximum context length is ${provider.limit} tokens.`;
    return refuse(`${limit} However, you requested ${input + reply} tokens (${sum}).`, "context_length_exceeded");
  }
  const id = `resp_${kept.size + 1}`;
  const output = write(provider.answer(text), id);
  if (body.store !== false) kept.set(id, [...items, ...output]);
  const usage = { input_tokens: input, output_tokens: 10, total_tokens: input + 10 };
  const response = { id, object: "response", status: "completed", output, usage, store: body.store ?? true };
  return body.stream === true ? { events: eventsOf(response) } : { body: response };
}

function refuse(message: string, code: string | null): WireAnswer {
  const body = { error: { message, type: "invalid_request_error", param: "input", code } };
  return { body, refusal: message, isOverflow: code !== null };
}

function lookUp(item: OpenAiResponsesItem, kept: KeptResponses): OpenAiResponsesItem | undefined {
  if (item.type !== "item_reference") return item;
  return [...kept.values()].flat().find(({ id, type }) => id === item.id && type !== "item_reference");
}

/** Each output has its call in front of it, each call its output behind it. */
function check(items: readonly OpenAiResponsesItem[]): string | undefined {
  const waiting = new Set<unknown>();
  for (const { type, call_id: id } of items) {
    if (type === "function_call") waiting.add(id);
    if (type === "function_call_output" && !waiting.delete(id)) return `No tool call found for call_id ${id}.`;
  }
  if (waiting.size > 0) return `No tool output found for function call ${[...waiting].join(", ")}.`;
  return validateWindow(convertResponsesToRich(items), "openai")[0]?.text;
}

function write({ text, calls = [] }: Reply, id: string): readonly OpenAiResponsesItem[] {
  const said = { type: "message", id: `msg_${id}`, role: "assistant", status: "completed" };
  return [
    { type: "reasoning", id: `rs_${id}`, summary: [] },
    ...(text === undefined ? [] : [{ ...said, content: [{ type: "output_text", text, annotations: [] }] }]),
    ...calls.map(({ id: call_id, name, input }, index) => ({
      type: "function_call",
      id: `fc_${id}_${index}`,
      call_id,
      name,
      arguments: JSON.stringify(input),
      status: "completed",
    })),
  ];
}

function eventsOf(response: { readonly output: readonly OpenAiResponsesItem[] }): readonly string[] {
  const begun = { ...response, status: "in_progress", output: [] };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...response.output.map((item, output_index) => ({ type: "response.output_item.done", output_index, item })),
    { type: "response.completed", response },
  ];
  return events.map((event) => JSON.stringify(event));
}
