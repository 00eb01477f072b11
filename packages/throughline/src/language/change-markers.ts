import { anyPhrase } from "./word-lists.ts";

/**
 * Kinds of words that mark a change: a correction ("actually", "update:"), an end ("no longer"), a replacement
 * ("instead of", "switched to"), or a new state ("from now on").
 */
export type ChangeKind = "correction" | "end" | "replacement" | "new-state";

/** Optional text before the first word of a statement: punctuation, the name of a speaker, interjections. */
const LEAD = String.raw`^[^\p{L}[]{0,40}(?:\[[^\]]{1,60}\]:? {0,8})?(?:(?:well|oh|no|sorry|wait|but|and|so),? ){0,6}`;

const KINDS: readonly ChangeKind[] = ["correction", "end", "replacement", "new-state"];
const MARKERS: Readonly<Record<ChangeKind, RegExp>> = {
  correction: new RegExp(
    String.raw`${LEAD}(?:correction|update)\b|\b${anyPhrase("actually, change of plans?, on second thought, scratch that")}\b`,
    "iu",
  ),
  end: new RegExp(
    String.raw`\b${anyPhrase("no longer, any ?more, used to, quit, stopped, got rid of, dropped")}\b`,
    "i",
  ),
  replacement: new RegExp(
    String.raw`\b${anyPhrase(`instead, rather than, switch(?:ing|ed)?(?: back)? to, switched, migrated, relocated, changed my,
      moved(?: back)? to, moved from, overrid(?:es?|ing|den), overrode`)}\b`,
    "i",
  ),
  "new-state": new RegExp(
    String.raw`${LEAD}now\b|(?<!\bright )\bnow(?=[.!]{0,8}$)|\b${anyPhrase("as of (?:today|now|this|last), from now on, these days, (?:is|are) now")}\b`,
    "iu",
  ),
};
const ANY_MORE = /(?<!\s)\s+any ?more$/i;

/**
 * True if a text states a change explicitly.
 *
 * @example
 * hasChangeMarker("I no longer live in Porto."); // true
 * hasChangeMarker("I no longer live in Porto.", ["replacement"]); // false
 */
export function hasChangeMarker(text: string, kinds: readonly ChangeKind[] = KINDS): boolean {
  return kinds.some((kind) => MARKERS[kind].test(text));
}

/**
 * A clause without "any more" at its end.
 *
 * @example
 * withoutAnyMore("does not smoke anymore"); // "does not smoke"
 */
export function withoutAnyMore(clause: string): string {
  return clause.replace(ANY_MORE, "");
}
