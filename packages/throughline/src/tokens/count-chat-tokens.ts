import { AT_LEAST_ZERO, checkOptions, type OptionRules, TEXT } from "../errors/check-options.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { DEFAULT_MODEL } from "./count-message.ts";
import { createTokenCounter } from "./token-counter.ts";

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
