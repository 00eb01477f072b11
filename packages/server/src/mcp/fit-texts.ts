import { countTokens } from "throughline";
import { cutText, stripInvisible } from "throughline/internal";

/** No text of several takes more than this share of what there is for all. */
const MAX_SHARE = 0.4;
/** What is shorter than so many tokens says nothing. */
const MIN_TOKENS = 24;

interface Fitted<T> {
  readonly item: T;
  readonly text: string;
  readonly isCut: boolean;
}

/** As many as fit so many tokens, in their order, long ones cut to head and tail. */
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

function fitText(text: string, room: number): string | undefined {
  if (countTokens(text) <= room) return text;
  return room < MIN_TOKENS ? undefined : cutText(text, room, "cut", countTokens);
}

/** A text within so many tokens. */
export function shortText(text: string, most: number): string {
  return cutText(stripInvisible(text), most, "cut", countTokens);
}
