import { AT_LEAST_ZERO, checkOptions, type OptionRules, TEXT } from "../errors/check-options.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { type Calibration, calibrationRatio } from "./calibration.ts";
import { countOne, countTotal, DEFAULT_MODEL } from "./count-message.ts";
import { counterFor } from "./count-tokens.ts";

/** Counts tokens for one model, without a safety margin. Multiply a total by `factor` to get the provider's count. */
export interface TokenCounter {
  readonly text: (text: string) => number;
  readonly part: (part: Part) => number;
  readonly message: (message: Message) => number;
  readonly messages: (messages: readonly Message[]) => number;
  /** Tokens the provider is expected to count per token counted here. */
  readonly factor: number;
}

/** Cache: model → message → tokens. Messages are immutable, so counts stay valid. */
const counted = new Map<string, WeakMap<Message, number>>();
/** Models with a cache. More of them only occur if ids are made up. */
const MAX_MODELS = 100;

/** Creates the counter for a model, corrected by the usage its provider has reported so far. */
export function createTokenCounter(modelId: string, calibration: Calibration): TokenCounter {
  const counter = counterFor(modelId, 1);
  const options = { modelId, counter };
  const known = counted.get(modelId) ?? new WeakMap<Message, number>();
  if (counted.size < MAX_MODELS) counted.set(modelId, known);
  const message = (one: Message) => {
    let tokens = known.get(one);
    if (tokens === undefined) {
      tokens = countTotal([one], options);
      known.set(one, tokens);
    }
    return tokens;
  };
  return {
    text: (text) => counter.count(text),
    part: (part) => countOne(part, options),
    message,
    messages: (messages) => messages.reduce((sum, one) => sum + message(one), 0),
    factor: factorFor(modelId, calibration),
  };
}

/** An exact count is never lowered: a smaller reported count probably leaves out cached tokens. */
function factorFor(modelId: string, calibration: Calibration): number {
  const { exact, margin } = counterFor(modelId);
  const reported = calibrationRatio(calibration, modelId) ?? margin;
  return exact ? Math.max(1, reported) : reported;
}

/** Tokens that a request costs besides its parts. */
export const REQUEST_TOKENS = 8;

/** Options of `countChatTokens`. */
export interface CountChatOptions {
  /** Model to count for. Default: OpenAI's current encoding. */
  readonly modelId?: string;
  /** System prompt that is sent besides the messages. Default: none. */
  readonly system?: string;
  /** Tokens of the tool definitions. Default: 0. */
  readonly toolTokens?: number;
}

const CHAT_RULES: OptionRules<CountChatOptions> = { modelId: TEXT, system: TEXT, toolTokens: AT_LEAST_ZERO };

/**
 * Counts the input tokens of a whole request: system prompt, messages and framing. For a prepared turn it is the number
 * on its receipt, before usage that the provider reported corrects it.
 *
 * @param messages Throughline messages, AI SDK messages, or a mix of both.
 * @param options Model, system prompt and tools of the request.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * countChatTokens([{ role: "user", content: "Hello, world" }], { system: "Be brief.", modelId: "gpt-4o" }); // 18
 */
export function countChatTokens(
  messages: readonly (Message | ForeignModelMessage)[],
  options: CountChatOptions = {},
): number {
  checkOptions("countChatTokens", options, CHAT_RULES);
  const { modelId = DEFAULT_MODEL, system = "", toolTokens = 0 } = options;
  const counter = createTokenCounter(modelId, {});
  const counted = counter.messages(toRichWindow(messages)) + counter.text(system) + REQUEST_TOKENS + toolTokens;
  return Math.ceil(counted * counter.factor);
}
