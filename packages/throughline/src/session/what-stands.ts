import { isRecord } from "../internal/json.ts";
import type { CriticalItem } from "../ledger/critical-items.ts";
import type { Message } from "../message/message.ts";
import { handleOf } from "../prune/mask-output.ts";

/** Two characters of one word. */
const WITHIN_WORD = /^[\p{L}\p{N}_]{2}$/u;

/** Whether something stands in a window: word for word in one of its texts, as the part that it was said in, or by its handle. */
export function whatStands(window: readonly Message[]): (item: CriticalItem) => boolean {
  const texts = textsIn(window.map(({ parts }) => parts));
  const handles = new Set(window.flatMap(({ parts }) => parts.map(({ id }) => handleOf(id))));
  const stands = (words: string) => texts.some((text) => standsIn(text, words));
  return ({ text, handle }) => stands(text) || (handle !== undefined && (handles.has(handle) || stands(handle)));
}

/** All texts below a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value instanceof Uint8Array) return [];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether words stand in a text by themselves, and not only inside of longer ones. */
function standsIn(text: string, words: string): boolean {
  const isInside = (at: number) => at > 0 && WITHIN_WORD.test(text.slice(at - 1, at + 1));
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isInside(at) && !isInside(at + words.length)) return true;
  }
  return false;
}
