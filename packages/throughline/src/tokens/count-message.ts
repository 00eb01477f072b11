import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { toolOutputText } from "../message/tool-output.ts";
import type { Counter } from "../ports/counter.ts";
import { counterFor } from "./count-tokens.ts";
import { fileTokens } from "./media/file-tokens.ts";

/** What a provider adds around each message. */
const ROLE_TOKENS = 4;
const STEP_TOKENS = 4;

export interface CountOptions {
  /** The model to count for; without one, OpenAI's current encoding counts. */
  readonly modelId?: string;
  readonly counter?: Counter;
}

const DEFAULT_MODEL = "gpt-4o";

/** Counts by counter and then by part: parts are never changed in place, so a count stays true. */
const counted = new Map<string, WeakMap<Part, number>>();

/** The tokens of one part: what is stored with it, else what is counted once and then remembered. */
export function countPartTokens(part: Part, options: CountOptions = {}): number {
  if (part.tokens !== undefined) return part.tokens;
  const modelId = options.modelId ?? DEFAULT_MODEL;
  const counter = options.counter ?? counterFor(modelId);
  const key = `${counter.name} ${modelId}`;
  const known = counted.get(key) ?? new WeakMap<Part, number>();
  if (!counted.has(key)) counted.set(key, known);
  const before = known.get(part);
  if (before !== undefined) return before;
  const tokens = countPart(part, counter, modelId);
  known.set(part, tokens);
  return tokens;
}

/** The tokens of a message with what its role costs. */
export function countMessageTokens(message: Message, options: CountOptions = {}): number {
  return message.parts.reduce((sum, part) => sum + countPartTokens(part, options), ROLE_TOKENS);
}

export function countTotalTokens(messages: readonly Message[], options: CountOptions = {}): number {
  return messages.reduce((sum, message) => sum + countMessageTokens(message, options), 0);
}

/** The same message with its counts stored in it, so that they need not be made again. */
export function storeTokens(message: Message, options: CountOptions = {}): Message {
  const parts = message.parts.map((part) => ({ ...part, tokens: countPartTokens(part, options) }));
  return { ...message, parts, tokens: parts.reduce((sum, part) => sum + part.tokens, ROLE_TOKENS) };
}

function countPart(part: Part, counter: Counter, modelId: string): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return counter.count(part.text);
    case "compaction-marker":
      return counter.count(part.summary);
    case "tool-call":
      return counter.count(part.toolName) + counter.count(jsonText(part.input));
    case "tool-result":
      return countOutput(part, counter, modelId);
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

/** Files inside an output count as files do. */
function countOutput(part: Extract<Part, { type: "tool-result" }>, counter: Counter, modelId: string): number {
  if (part.output.type !== "content") return counter.count(toolOutputText(part.output));
  return part.output.value.reduce((sum, item) => {
    if (item.type === "text" && typeof item.text === "string") return sum + counter.count(item.text);
    const { data, mediaType = "image" } = item;
    if (typeof data !== "string" || typeof mediaType !== "string") return sum + counter.count(jsonText(item));
    return sum + fileTokens({ id: "", type: "file", mediaType, data: { type: "data", data } }, modelId, counter);
  }, 0);
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
