import type { Message } from "throughline";
import { countMessageTokens } from "throughline/tokens";
import { isSameMessage } from "./part-facts.ts";

const WRITE = 1.25;
const READ = 0.1;
const UNCACHED = 1;
/** Shorter prefixes are not cached. */
const MIN_PREFIX = 1_024;

export interface Bill {
  requests: number;
  /** Cost in uncached input tokens. */
  cost: number;
  tokens: number;
  read: number;
  summarizer: number;
  overBudget: number;
}

export function emptyBill(): Bill {
  return { requests: 0, cost: 0, tokens: 0, read: 0, summarizer: 0, overBudget: 0 };
}

/**
 * Adds one request to the bill: the prefix shared with the previous request is read from the cache, the rest is
 * written.
 */
export function priceRequest(bill: Bill, before: readonly Message[], window: readonly Message[], budget: number): void {
  const tokens = window.map((message) => countMessageTokens(message));
  const total = tokens.reduce((sum, count) => sum + count, 0);
  let shared = 0;
  for (const [index, message] of window.entries()) {
    const other = before[index];
    if (other === undefined || !isSameMessage(message, other)) break;
    shared += tokens[index] ?? 0;
  }
  const read = shared >= MIN_PREFIX ? shared : 0;
  bill.requests += 1;
  bill.tokens += total;
  bill.read += read;
  bill.cost += read * READ + (total - read) * (total >= MIN_PREFIX ? WRITE : UNCACHED);
  if (total > budget) bill.overBudget += 1;
}

/** A call to a summarizer: a different prompt, so nothing is cached. */
export function priceSummarizer(bill: Bill, tokens: number): void {
  bill.summarizer += tokens;
  bill.cost += tokens * UNCACHED;
}
