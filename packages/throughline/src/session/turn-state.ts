import type { PlannedCompaction } from "../compact/plan-compaction.ts";
import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import type { ToolResultPart } from "../message/part.ts";
import { calculateThreshold } from "../overflow/check-overflow.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import type { SessionEvents } from "./session-events.ts";
import type { SessionSnapshot } from "./session-repository.ts";

/** Sizes of one turn, in counted tokens unless said otherwise. */
export interface TurnBudget {
  /** The caller's budget, in the provider's tokens. */
  readonly asked: number;
  /** Tokens of the request without its messages: system prompt, tools and framing. */
  readonly overhead: number;
  /** Tokens for the messages. */
  readonly messages: number;
  /** Bytes for the messages. */
  readonly bytes: number;
  /** Size of the messages above which they are pruned and compacted. */
  readonly trigger: number;
}

/** Tool outputs that a turn masked. */
export interface PrunedOutputs {
  readonly masked: ReadonlyMap<string, ToolResultPart>;
  readonly at: number;
  readonly report: SessionEvents["prune:complete"];
}

/**
 * A turn between two stages: the session with the changes of the turn so far. A stage returns a new one; nothing is
 * stored before the commit at the end.
 */
export interface TurnState extends SessionSnapshot {
  readonly budget: TurnBudget;
  readonly pruned?: PrunedOutputs;
  readonly compaction?: PlannedCompaction;
}

/** The options of a turn that its budget depends on. */
interface BudgetOptions {
  readonly system?: string;
  readonly budget?: number;
  readonly maxBytes?: number;
  readonly toolTokens?: number;
}

/** Tokens that a request costs besides its parts. */
const REQUEST_TOKENS = 8;

/**
 * Computes the budget of a turn.
 *
 * @throws IrreducibleContextError if the system prompt alone does not fit.
 */
export function turnBudget(options: BudgetOptions, { deps, counter }: SessionSnapshot): TurnBudget {
  const { contextLimit, outputReserve, config } = deps;
  const { system = "", toolTokens = 0 } = options;
  const asked = options.budget ?? contextLimit - outputReserve;
  if (!(asked > 0)) throw new InvalidOptionError("budget", asked, "a number of tokens above 0");
  const maxBytes = options.maxBytes ?? config.maxBytes ?? Number.POSITIVE_INFINITY;
  if (!(maxBytes > 0)) throw new InvalidOptionError("maxBytes", maxBytes, "a number of bytes above 0");
  const overhead = counter.text(system) + REQUEST_TOKENS + toolTokens;
  const messages = Math.floor(asked / counter.factor) - overhead;
  const bytes = maxBytes - new TextEncoder().encode(system).length;
  if (messages <= 0 || bytes <= 0) {
    const tokens = Math.ceil(overhead * counter.factor);
    const what = bytes > 0 ? "the system prompt" : `the system prompt, more than ${maxBytes} bytes`;
    throw new IrreducibleContextError(asked, tokens, [{ what, tokens }]);
  }
  const threshold = calculateThreshold({ ...config, modelContextLimit: contextLimit, outputReserve });
  const due = options.budget ?? Math.min(asked, threshold);
  // A huge system prompt must not cause a compaction of a short conversation.
  const trigger = Math.max(Math.floor(messages / 2), Math.floor(due / counter.factor) - overhead);
  return { asked, overhead, messages, bytes, trigger: Math.min(messages, trigger) };
}

/** The trigger for this window: lower if it has too many bytes, because bytes and tokens leave together. */
export function triggerFor({ window, budget, counter }: TurnState): number {
  if (budget.bytes === Number.POSITIVE_INFINITY) return budget.trigger;
  const bytes = countTotalBytes(window);
  if (bytes <= budget.bytes) return budget.trigger;
  const trigger = Math.floor(counter.messages(window) * (budget.bytes / bytes)) - 1;
  return Math.min(budget.trigger, Math.max(1, trigger));
}
