import { openAiRefusal } from "./openai-chat-rules.ts";
import { countAll, firstDuplicate, type Json, listOf, type Provider, type Refusal, sign } from "./provider.ts";

/** Stored responses of the provider. */
export interface KeptResponses {
  /** Input and output of every stored response. */
  readonly conversations: Map<string, readonly Json[]>;
  /** All items that were returned, stored or not. */
  readonly items: Map<string, GivenItem>;
}

interface GivenItem {
  readonly item: Json;
  readonly isStored: boolean;
  /** The reasoning item of the same response. */
  readonly reasoning: string | undefined;
  /** The next item of the same response. */
  readonly following: Json | undefined;
}

export const keptResponses = (): KeptResponses => ({ conversations: new Map(), items: new Map() });

export const encryptedReasoning = (id: string): string => sign(`reasoning:${id}`);

/** The complete input of a request: earlier items, with references resolved; or the refusal. */
export function readInput(body: Json, { conversations, items }: KeptResponses): readonly Json[] | Refusal {
  const { previous_response_id: previous, input } = body;
  const before = typeof previous === "string" ? conversations.get(previous) : [];
  if (before === undefined) {
    const message = `Previous response with id '${previous}' not found.`;
    return openAiRefusal(message, "previous_response_id", "previous_response_not_found");
  }
  const given = typeof input === "string" ? [{ role: "user", content: input }] : listOf(input);
  if (given.length === 0 && before.length === 0)
    return openAiRefusal("Missing required parameter: 'input'.", "input", "missing_required_parameter");
  const found: Json[] = [...before];
  for (const item of given) {
    const known = item.type === "item_reference" ? items.get(String(item.id)) : undefined;
    if (item.type === "item_reference" && known?.isStored !== true) {
      const advice =
        known === undefined
          ? ""
          : " Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.";
      return openAiRefusal(`Item with id '${item.id}' not found.${advice}`, "input", null, 404);
    }
    found.push(known?.item ?? item);
  }
  return found;
}

/** Checks a body of `POST /v1/responses`, with its whole input, as OpenAI does. */
export function refuseResponses(
  body: Json,
  input: readonly Json[],
  provider: Provider,
  kept: KeptResponses,
): Refusal | undefined {
  const wrong = checkCalls(input) ?? checkReasoning(input, kept) ?? checkContent(input);
  return wrong === undefined ? refuseLength(body, input, provider) : openAiRefusal(wrong, "input");
}

export function countResponses({ instructions, tools }: Json, input: readonly Json[], provider: Provider): number {
  return countAll([instructions, input, tools], provider);
}

function refuseLength(body: Json, input: readonly Json[], provider: Provider): Refusal | undefined {
  const { limit, countsReply = true } = provider;
  const reply = countsReply ? Number(body.max_output_tokens ?? 0) : 0;
  const own = countResponses(body, input, provider);
  if (own + reply <= limit) return undefined;
  const parts = `${own} in the messages, ${reply} in the completion`;
  const message =
    reply === 0
      ? `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${own} tokens. Please reduce the length of the messages.`
      : `This model's maximum context length is ${limit} tokens. However, you requested ${own + reply} tokens (${parts}). Please reduce the length of the messages or completion.`;
  return openAiRefusal(message, "input", "context_length_exceeded");
}

const isCall = ({ type }: Json) => type === "function_call" || type === "custom_tool_call";
const isOutput = ({ type }: Json) => type === "function_call_output" || type === "custom_tool_call_output";

/** Each output follows its call, and each call has one output. */
function checkCalls(input: readonly Json[]): string | undefined {
  const open = new Set<string>();
  for (const item of input) {
    const id = String(item.call_id);
    if (isCall(item)) open.add(id);
    if (isOutput(item) && !open.delete(id)) return `No tool call found for function call output with call_id ${id}.`;
  }
  const [unanswered] = open;
  return unanswered === undefined ? undefined : `No tool output found for function call ${unanswered}.`;
}

function checkReasoning(input: readonly Json[], { items }: KeptResponses): string | undefined {
  const ids = input.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  const twice = firstDuplicate(ids);
  if (twice !== undefined)
    return `Duplicate item found with id ${twice}. Remove duplicate items from your input and try again.`;
  for (const [index, item] of input.entries()) {
    const { id, type, encrypted_content: content } = item;
    const given = items.get(String(id));
    if (type === "reasoning" && !isFollowed(given?.following, input[index + 1]))
      return `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    if (type === "reasoning" && typeof content === "string" && content !== encryptedReasoning(String(id)))
      return `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
    if (given?.reasoning !== undefined && !ids.includes(given.reasoning))
      return `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${given.reasoning}'.`;
  }
  return undefined;
}

/** True if an item followed the reasoning in its response, ignoring fields that the client left out. */
function isFollowed(original: Json | undefined, next: Json | undefined): boolean {
  if (next === undefined || isOutput(next)) return false;
  if (original === undefined) return isCall(next) || next.role === "assistant" || next.type === "reasoning";
  if (isCall(original)) return next.type === original.type && next.call_id === original.call_id;
  return next.role === "assistant";
}

function checkContent(input: readonly Json[]): string | undefined {
  const empty = input.findIndex(({ role, content }) => role !== undefined && (content ?? null) === null);
  if (empty >= 0) return `Missing required parameter: 'input[${empty}].content'.`;
  const untold = input.findIndex((item) => item.type === "function_call" && typeof item.arguments !== "string");
  return untold < 0 ? undefined : `Invalid type for 'input[${untold}].arguments': expected a string.`;
}
