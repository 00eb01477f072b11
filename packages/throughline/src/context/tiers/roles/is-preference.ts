import { termHashes } from "../../../language/terms.ts";
import { wordSet } from "../../../language/word-lists.ts";
import { normalizeKey } from "../../../memory/facts/slots.ts";
import type { Memory } from "../../../ports/memory.ts";
import { isStandingRule } from "./is-rule.ts";

const LIKING_KEYS = wordSet("likes dislikes prefers preference preferences");
const LIKES = /\b(?:prefers?|likes?|loves?|hates?|dislikes?|wants?|insists? on|favou?rs?|would rather)\b/i;

/** A sentence with what it answers, which is about that proposal: "I don't like turn [re: …]". */
const REPLIES = / \[re: /;
/** Minimum number of content words besides the liking: "I don't like turn" cannot be understood later. */
const MIN_WORDS = 2;

/**
 * True if a memory is the preference of a person. A sentence of a conversation has to have the wording of a preference
 * or of a lasting rule, and to be understood without the conversation.
 *
 * @example
 * isPreference(memory); // "Mara prefers small pull requests." → true
 */
export function isPreference({ kind, category, key, subject, levels, source }: Memory): boolean {
  if (kind !== "fact" || category === "identity") return false;
  const named = key === undefined ? "" : normalizeKey(key);
  const isLiking = LIKING_KEYS.has(named) || /^(?:prefers|preference)_/.test(named);
  const isWorded = (): boolean => LIKES.test(levels.full) || isStandingRule(levels.full);
  if (category === "preference" || isLiking)
    return source.messageId === undefined || (isWorded() && !REPLIES.test(levels.full) && saysEnough(levels.full));
  return subject !== undefined && subject !== "project" && LIKES.test(levels.full);
}

function saysEnough(text: string): boolean {
  const words = termHashes(text.replace(LIKES, " "));
  return words.size >= MIN_WORDS;
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
