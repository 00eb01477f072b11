import { countTokens, InvalidOptionError, type Memory, type MemoryKind } from "throughline";
import { asData, BLOCK_CLOSING, BLOCK_OPENING, fence } from "throughline/internal/engine";
import { cutText, stripInvisible } from "throughline/internal/util";
import type { FactCategory } from "throughline/memory";

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const OF_DAY = { start: "T00:00:00.000Z", end: "T23:59:59.999Z" } as const;

/**
 * Parses a day in UTC (its start or its end) or a time, in milliseconds since 1970.
 *
 * @throws InvalidOptionError if it is neither
 */
export function readDate(name: string, text: string, edge: keyof typeof OF_DAY): number {
  const time = DAY.test(text) ? Date.parse(text + OF_DAY[edge]) : MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidOptionError(
      name,
      text.slice(0, 80),
      'a date such as "2026-05-01", or a time such as "2026-05-01T14:30:00Z"',
    );
  }
  return time;
}

/** ISO 8601. */
export function writeTime(time: number): string {
  return new Date(time).toISOString();
}

/** Maximum share of the budget for one of several texts. */
const MAX_SHARE = 0.4;
/** Shorter excerpts are not useful. */
const MIN_TOKENS = 24;

interface Fitted<T> {
  readonly item: T;
  readonly text: string;
  readonly isCut: boolean;
}

/** The first items that fit the token budget together; long texts are shortened to beginning and end. */
export function fitTexts<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  budget: number,
): { readonly fitted: readonly Fitted<T>[]; readonly leftOut: number } {
  const fitted: Fitted<T>[] = [];
  let left = budget;
  for (const item of items) {
    const share = items.length === 1 ? budget : Math.max(MIN_TOKENS, Math.floor(budget * MAX_SHARE));
    const whole = stripInvisible(textOf(item));
    const text = fitText(whole, Math.min(share, left));
    if (text === undefined) break;
    fitted.push({ item, text, isCut: text !== whole });
    left -= countTokens(text);
  }
  return { fitted, leftOut: items.length - fitted.length };
}

function fitText(text: string, maxTokens: number): string | undefined {
  if (countTokens(text) <= maxTokens) return text;
  return maxTokens < MIN_TOKENS ? undefined : cutText(text, maxTokens, "cut", countTokens);
}

/** Shortens a text to a number of tokens. */
export function shortText(text: string, most: number): string {
  return cutText(stripInvisible(text), most, "cut", countTokens);
}

export const KINDS = ["fact", "episode", "pattern", "workflow"] as const satisfies readonly MemoryKind[];
export const CATEGORIES = ["identity", "preference", "project"] as const satisfies readonly FactCategory[];
/** Maximum tokens of a memory in the result of a change. */
const MAX_TOKENS = 300;

/** A memory in one line: its text, shortened to beginning and end if it is long, and its id. */
export function memoryLine({ id, levels }: Memory, maxTokens = MAX_TOKENS): string {
  return `${shortText(levels.full, maxTokens)} (${id})`;
}

const MAX_LINE_LENGTH = 2_400;

/** Stored lines in a block that none of them can close. Line breaks within a line are removed. */
export function quoteLines(lines: readonly string[]): string {
  return [BLOCK_OPENING, ...lines.map((line) => `- ${asData(line, MAX_LINE_LENGTH)}`), BLOCK_CLOSING].join("\n");
}

/** A stored text, verbatim, between tags that it cannot close. */
export function quoteText(tag: string, text: string): string {
  return fence(tag, stripInvisible(text));
}
