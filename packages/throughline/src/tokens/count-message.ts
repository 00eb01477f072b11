import { checkOptions, type OptionRules, TEXT, withMethods } from "../errors/check-options.ts";
import { isRecord, type JsonRecord, recordField } from "../internal/json.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { fileOf } from "../message/convert/tool-content.ts";
import type { Message } from "../message/message.ts";
import { sentOutput, sentSummary } from "../message/message-text.ts";
import type { FilePart, Part } from "../message/part.ts";
import { type ToolOutput, toolOutputText } from "../message/tool-output.ts";
import type { Counter } from "../ports/model.ts";
import { jsonText } from "./count-bytes.ts";
import { counterFor } from "./count-tokens.ts";
import { fileTokens } from "./media-tokens.ts";

/** Overhead per message. */
const ROLE_TOKENS = 4;
const STEP_TOKENS = 4;

/** Counter of messages and parts. */
export interface CountOptions {
  /** Model to count for. Default: OpenAI's current encoding. */
  readonly modelId?: string;
  /** Custom counter, used instead of the model's. */
  readonly counter?: Counter;
}

/** Checks of the options. */
export const COUNT_RULES: OptionRules<CountOptions> = {
  modelId: TEXT,
  counter: /* @__PURE__ */ withMethods("a counter, such as counterFor(modelId)", "count"),
};

/** Model to count for if none is given. */
export const DEFAULT_MODEL = "gpt-4o";

/** Cache: counter → part → tokens. Parts are immutable, so counts stay valid. */
const counted = new Map<string, WeakMap<Part, number>>();

/**
 * Counts the tokens of one part. Uses the count stored in the part if it is from the same counter; otherwise the count
 * is cached.
 *
 * @param part Part to count.
 * @param options Model or counter to count with.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * countPartTokens({ id: "p", type: "text", text: "Hello, world" }); // 3
 */
export function countPartTokens(part: Part, options: CountOptions = {}): number {
  checkOptions("countPartTokens", options, COUNT_RULES);
  return countOne(part, options);
}

/** Same as {@link countPartTokens}, for options that are checked. */
export function countOne(part: Part, options: CountOptions): number {
  const { counter, modelId, countedBy } = resolve(options);
  if (part.tokens !== undefined && part.countedBy === countedBy) return part.tokens;
  const known = counted.get(countedBy) ?? new WeakMap<Part, number>();
  counted.set(countedBy, known);
  const before = known.get(part);
  if (before !== undefined) return before;
  const tokens = countPart(part, counter, modelId);
  known.set(part, tokens);
  return tokens;
}

function resolve(options: CountOptions): { counter: Counter; modelId: string; countedBy: string } {
  const modelId = options.modelId ?? DEFAULT_MODEL;
  const counter = options.counter ?? counterFor(modelId);
  return { counter, modelId, countedBy: `${counter.name} ${modelId}` };
}

/**
 * Counts the tokens of a message, including the overhead of its role.
 *
 * @param message Message to count.
 * @param options Model or counter to count with.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const largest = messages.toSorted((a, b) => countMessageTokens(b) - countMessageTokens(a))[0];
 */
export function countMessageTokens(message: Message, options: CountOptions = {}): number {
  checkOptions("countMessageTokens", options, COUNT_RULES);
  return countTotal([message], options);
}

/**
 * Counts the tokens of a list of messages. The margin of a model without a public tokenizer is added to the total, as
 * in receipts.
 *
 * @param messages Messages to count.
 * @param options Model or counter to count with.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * countTotalTokens(messages, { modelId: "claude-sonnet-4-5" });
 */
export function countTotalTokens(messages: readonly Message[], options: CountOptions = {}): number {
  checkOptions("countTotalTokens", options, COUNT_RULES);
  return countTotal(messages, options);
}

/** Same as {@link countTotalTokens}, for options that are checked. */
export function countTotal(messages: readonly Message[], options: CountOptions): number {
  const modelId = options.modelId ?? DEFAULT_MODEL;
  const { margin } = options.counter === undefined ? counterFor(modelId) : { margin: 1 };
  const counter = options.counter ?? counterFor(modelId, 1);
  const counted = messages.reduce((sum, message) => sum + countParts(message, { modelId, counter }), 0);
  return Math.ceil(counted * margin);
}

function countParts(message: Message, options: CountOptions): number {
  return message.parts.reduce((sum, part) => sum + countOne(part, options), ROLE_TOKENS);
}

/**
 * Returns a copy of the message with the token counts stored in its parts.
 *
 * @param message Message to count.
 * @param options Model or counter to count with.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const counted = messages.map((message) => storeTokens(message, { modelId: "gpt-4o" }));
 */
export function storeTokens(message: Message, options: CountOptions = {}): Message {
  checkOptions("storeTokens", options, COUNT_RULES);
  const { countedBy } = resolve(options);
  const parts = message.parts.map((part) => ({ ...part, tokens: countOne(part, options), countedBy }));
  return { ...message, parts, tokens: parts.reduce((sum, part) => sum + part.tokens, ROLE_TOKENS) };
}

/** Same as {@link storeTokens}; other tasks can run between parts and between the pieces of a long text. */
export async function storeTokensYielding(message: Message, options: CountOptions = {}): Promise<Message> {
  const { counter, modelId, countedBy } = resolve(options);
  const parts: Part[] = [];
  for (const part of message.parts) {
    parts.push({ ...part, tokens: await countPartYielding(part, counter, modelId), countedBy });
    await yieldToEventLoop();
  }
  return storeTokens({ ...message, parts }, options);
}

/** Maximum characters to count without a pause. */
const MAX_AT_ONCE = 250_000;

/** Counts the long texts of a part first, then the part with these counts. */
async function countPartYielding(part: Part, counter: Counter, modelId: string): Promise<number> {
  const long: string[] = [];
  const isLong = (text: string) => text.length > MAX_AT_ONCE;
  const collect = (text: string) => (isLong(text) ? long.push(text) : 0);
  countPart(part, { ...counter, count: collect }, modelId);
  if (long.length === 0 || counter.countYielding === undefined) return countPart(part, counter, modelId);
  const counts: number[] = [];
  for (const text of long) counts.push(await counter.countYielding(text));
  // The long texts come in the same order again.
  const count = (text: string) => (isLong(text) ? (counts.shift() ?? 0) : counter.count(text));
  return countPart(part, { ...counter, count }, modelId);
}

function countPart(part: Part, counter: Counter, modelId: string): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return counter.count(part.text);
    case "compaction-marker":
      return counter.count(sentSummary(part.summary));
    case "tool-call":
      return counter.count(part.toolName) + counter.count(jsonText(part.input));
    case "tool-result":
      return countOutput(sentOutput(part), counter, modelId);
    case "file":
    case "reasoning-file":
      return fileTokens(part, modelId, counter);
    case "step-start":
      return STEP_TOKENS;
    case "opaque":
      return counter.count(jsonText(part.value));
    case "tool-approval-request":
    case "tool-approval-response":
      return STEP_TOKENS;
  }
}

/** Files inside an output count as files, also in the content list of a failed call. */
function countOutput(output: ToolOutput, counter: Counter, modelId: string): number {
  const items = output.type === "content" || output.type === "error-json" ? output.value : undefined;
  if (!Array.isArray(items)) return counter.count(outputText(output));
  return items.reduce((sum: number, item: unknown) => {
    if (!isRecord(item)) return sum + counter.count(jsonText(item));
    if (item.type === "text" && typeof item.text === "string") return sum + counter.count(item.text);
    const file = typeof item.type === "string" ? fileOf({ ...item, type: item.type }) : undefined;
    const image = file ?? anthropicImage(item);
    if (image === undefined) return sum + counter.count(jsonText(item));
    return sum + fileTokens({ id: "", ...image, type: "file" }, modelId, counter);
  }, 0);
}

function outputText(output: ToolOutput): string {
  return output.type === "json" || output.type === "error-json" ? jsonText(output.value) : toolOutputText(output);
}

function anthropicImage(item: JsonRecord): Pick<FilePart, "mediaType" | "data"> | undefined {
  const { data, media_type: mediaType } = recordField(item, "source") ?? {};
  if (typeof data !== "string" || typeof mediaType !== "string") return undefined;
  return { mediaType, data: { type: "data", data } };
}
