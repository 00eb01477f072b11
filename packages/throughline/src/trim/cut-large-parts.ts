import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { withChangedParts } from "../message/repair/repair.ts";
import { boundParts } from "./bound-parts.ts";
import { type CutDeps, cutPart } from "./cut-part.ts";
import { type TrimOptions, tokensOfAll } from "./trim-options.ts";

export interface CutWindow {
  readonly messages: readonly Message[];
  /** Ids of parts that were truncated or removed. */
  readonly cut: readonly string[];
}

/**
 * Truncates the largest parts to head and tail, all to the same cap: the largest cap at which everything fits. Notes
 * stay whole.
 *
 * @returns `undefined` if the cap would be below `minTokens`.
 */
export function cutLargeParts(
  messages: readonly Message[],
  notes: readonly Part[],
  options: TrimOptions,
  minTokens: number,
): CutWindow | undefined {
  const fits = (list: readonly Message[]) => tokensOfAll(list, options) <= options.budget;
  if (fits(messages)) return { messages, cut: [] };
  const fixed = new Set([...boundParts(messages), ...notes]);
  const { count, tokensOf, namesHandles = true } = options;
  const deps: CutDeps = { count, tokensOf, namesHandles, fixed, written: new Map() };
  const apply = (cap: number) => messages.flatMap((message) => cutMessage(message, cap, deps));
  const least = apply(minTokens);
  if (!fits(least)) return undefined;
  const sizes = messages.flatMap(({ parts }) => parts.map(options.tokensOf));
  const high = sizes.reduce((most, tokens) => Math.max(most, tokens), minTokens);
  const range = { low: minTokens, high, expected: expectedCap(messages, fixed, options) };
  const done = atLargestCap(range, (cap) => {
    const tried = apply(cap);
    return fits(tried) ? tried : undefined;
  });
  return { messages: done ?? least, cut: changedParts(messages, done ?? least) };
}

/**
 * Tries caps above `low` and below `high`, and returns the result for the largest one that fits, within 5%. Each attempt
 * truncates and counts all large parts, so the cap computed from the sizes is tried before a binary search.
 */
function atLargestCap<T>(
  { expected, ...range }: { readonly low: number; readonly high: number; readonly expected: number },
  attempt: (cap: number) => T | undefined,
): T | undefined {
  let { low, high } = range;
  let done: T | undefined;
  for (const share of [1, 0.96, 0.9]) {
    const cap = Math.floor(expected * share);
    if (cap <= low || cap >= high) continue;
    const tried = attempt(cap);
    if (tried === undefined) {
      high = cap;
      continue;
    }
    low = cap;
    high = Math.min(high, Math.floor(cap * 1.05));
    done = tried;
    break;
  }
  while (high - low > Math.max(8, low * 0.05)) {
    const middle = Math.floor((low + high) / 2);
    const tried = attempt(middle);
    if (tried === undefined) high = middle;
    else {
      low = middle;
      done = tried;
    }
  }
  return done;
}

/** Cap at which everything fits, if truncated parts take exactly the cap. */
function expectedCap(messages: readonly Message[], fixed: ReadonlySet<Part>, options: TrimOptions): number {
  const sizes = messages.flatMap(({ parts }) => parts.filter((part) => !fixed.has(part)).map(options.tokensOf));
  let tokens = options.budget - tokensOfAll(messages, options) + sizes.reduce((sum, size) => sum + size, 0);
  let left = sizes.length;
  for (const size of sizes.sort((a, b) => a - b)) {
    if (size > tokens / left) return tokens / left;
    tokens -= size;
    left -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

function cutMessage(message: Message, cap: number, deps: CutDeps): Message[] {
  const parts = message.parts.flatMap((part) => cutPart(part, cap, deps) ?? []);
  return parts.length === 0 && message.parts.length > 0 ? [] : [withChangedParts(message, parts)];
}

function changedParts(before: readonly Message[], after: readonly Message[]): string[] {
  const kept = new Set(after.flatMap((message) => message.parts));
  return before.flatMap((message) => message.parts.filter((part) => !kept.has(part)).map((part) => part.id));
}
