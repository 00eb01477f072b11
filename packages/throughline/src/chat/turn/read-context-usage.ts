import { ABOVE_ZERO, checkOptions } from "../../errors/check-options.ts";
import type { Receipt, ReceiptItem } from "../../receipt/receipt.ts";

/** Usage of a window in tokens, by content. The parts add up to the limit, or to more if it is exceeded. */
export interface ContextUsage {
  readonly limit: number;
  /** Tokens of everything that is sent. */
  readonly used: number;
  /** From 0 to 100. */
  readonly percentUsed: number;
  readonly parts: {
    readonly system: number;
    readonly memory: number;
    readonly summary: number;
    readonly history: number;
    /** The last user message. */
    readonly message: number;
    /** Reserved for the reply. */
    readonly reply: number;
    readonly free: number;
  };
}

export interface UsageOptions {
  /** Context window of the model. Default: the budget of the turn. */
  readonly contextLimit?: number;
}

/**
 * Reads the usage of a window from its receipt.
 *
 * @param receipt Receipt of a prepared turn.
 * @param options Context window of the model.
 *
 * @example
 * const turn = await session.prepare();
 * readContextUsage(turn.receipt, { contextLimit: 128_000 }).parts.memory;
 */
export function readContextUsage(receipt: Receipt, options: UsageOptions = {}): ContextUsage {
  checkOptions("readContextUsage", options, { contextLimit: ABOVE_ZERO });
  const { contextLimit } = options;
  const { items, budget, tokens: used } = receipt;
  const limit = contextLimit ?? budget;
  const last = items.findLast(({ role, rule }) => role === "user" && (rule === "tail" || rule === "task"));
  const sum = (isPart: (item: ReceiptItem) => boolean): number =>
    items.filter(isPart).reduce((total, { tokens }) => total + tokens, 0);
  const [system, memory, summary] = (["system", "memory", "summary"] as const).map((rule) =>
    sum((item) => item.rule === rule),
  ) as [number, number, number];
  const message = last?.tokens ?? 0;
  const reply = Math.max(0, Math.min(limit - used, limit - budget));
  const parts = { system, memory, summary, history: used - system - memory - summary - message, message };
  return {
    limit,
    used,
    percentUsed: (used / limit) * 100,
    parts: { ...parts, reply, free: Math.max(0, limit - used - reply) },
  };
}
