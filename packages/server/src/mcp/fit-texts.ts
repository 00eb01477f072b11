import { countTokens } from "throughline";
import { cutText, stripInvisible } from "throughline/internal/util";

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
