import { wordSet } from "../../../language/word-lists.ts";
import { normalizeKey } from "../../../memory/facts/slot-keys.ts";
import type { Memory } from "../../../ports/memory.ts";

const LIKING_KEYS = wordSet("likes dislikes prefers preference preferences");
const LIKES = /\b(?:prefers?|likes?|loves?|hates?|dislikes?|wants?|insists? on|favou?rs?|would rather)\b/i;

/**
 * True if a memory is the preference of a person.
 *
 * @example
 * isPreference(memory); // "Mara prefers small pull requests." → true
 */
export function isPreference({ kind, category, key, subject, levels }: Memory): boolean {
  if (kind !== "fact" || category === "identity") return false;
  const named = key === undefined ? "" : normalizeKey(key);
  if (category === "preference" || LIKING_KEYS.has(named) || /^(?:prefers|preference)_/.test(named)) return true;
  return subject !== undefined && subject !== "project" && LIKES.test(levels.full);
}

/**
 * True if a memory is about this person, or was stated by this person.
 *
 * @example
 * isOf({ subject: "Mara" }, "mara"); // true
 */
export function isOf(
  { subject, speaker, owner }: { readonly subject?: string; readonly speaker?: string; readonly owner?: string },
  person: string,
): boolean {
  const name = person.trim().toLowerCase();
  if (name === "") return false;
  const isNamed = (text: string | undefined): boolean => text?.trim().toLowerCase() === name;
  const isOfOther = subject !== undefined && subject !== "user" && subject !== "project";
  return isOfOther ? isNamed(subject) : isNamed(speaker) || isNamed(owner);
}
