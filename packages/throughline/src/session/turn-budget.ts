import { InvalidOptionError } from "../errors/input-errors.ts";
import { IrreducibleContextError } from "../errors/session-errors.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import { REQUEST_TOKENS } from "../tokens/token-counter.ts";
import type { SessionSnapshot } from "./state/session-repository.ts";

/** Sizes of one turn, in counted tokens unless noted otherwise. */
export interface TurnBudget {
  /** The caller's budget, in the provider's tokens. */
  readonly requested: number;
  /** Tokens of the request without its messages: system prompt, tools and framing. */
  readonly overhead: number;
  /** Tokens for the messages. */
  readonly tokens: number;
  /** Bytes for the messages. */
  readonly bytes: number;
  /** Size of the messages above which they are pruned and compacted; lower if they have too many bytes. */
  readonly trigger: number;
}

/** The options of a turn that its budget depends on. */
export interface BudgetOptions {
  readonly system?: string;
  readonly budget?: number;
  readonly maxBytes?: number;
  readonly toolTokens?: number;
}

/** Options of a pruning or compaction that the caller asked for: it does not depend on bytes. */
export const MANUAL_BUDGET: BudgetOptions = { maxBytes: Number.POSITIVE_INFINITY };

/**
 * Computes the budget of a turn with the present window.
 *
 * @throws IrreducibleContextError if the system prompt alone does not fit.
 */
export function turnBudget(options: BudgetOptions, { deps, counter, window }: SessionSnapshot): TurnBudget {
  const { contextLimit, outputReserve, threshold, config } = deps;
  const { system = "", toolTokens = 0 } = options;
  const requested = options.budget ?? contextLimit - outputReserve;
  if (!(requested > 0)) throw new InvalidOptionError("budget", requested, "a number of tokens above 0");
  const maxBytes = options.maxBytes ?? config.maxBytes ?? Number.POSITIVE_INFINITY;
  if (!(maxBytes > 0)) throw new InvalidOptionError("maxBytes", maxBytes, "a number of bytes above 0");
  const overhead = counter.text(system) + REQUEST_TOKENS + toolTokens;
  const tokens = Math.floor(requested / counter.factor) - overhead;
  const bytes = maxBytes - new TextEncoder().encode(system).length;
  if (tokens <= 0 || bytes <= 0) {
    const size = Math.ceil(overhead * counter.factor);
    const what = bytes > 0 ? "the system prompt" : `the system prompt, more than ${maxBytes} bytes`;
    throw new IrreducibleContextError(requested, size, [{ what, tokens: size }]);
  }
  const due = Math.floor((options.budget ?? Math.min(requested, threshold)) / counter.factor);
  // A huge system prompt must not cause a compaction of a short conversation.
  const trigger = Math.min(tokens, Math.max(Math.min(due, Math.floor(tokens / 2)), due - overhead));
  const current = bytes === Number.POSITIVE_INFINITY ? 0 : countTotalBytes(window);
  if (current <= bytes) return { requested: requested, overhead, tokens, bytes, trigger };
  // Bytes and tokens leave together.
  const share = Math.floor(counter.messages(window) * (bytes / current)) - 1;
  return { requested: requested, overhead, tokens, bytes, trigger: Math.min(trigger, Math.max(1, share)) };
}
