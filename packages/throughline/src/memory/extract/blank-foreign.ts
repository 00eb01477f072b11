import { readUserWords, type UserWords } from "../../ledger/quoted/user-words.ts";
import type { ExtractTurn } from "./extract-turn.ts";

/** Nobody states facts about themselves at greater length: the rest is pasted. */
const MAX_TEXT_LENGTH = 20_000;

/**
 * A turn's text with everything blanked that its speaker did not say. Offsets stay as they are, so that what is found can
 * be quoted.
 */
export function blankForeign({ text, synthetic = false }: ExtractTurn): UserWords {
  if (synthetic === true) return readUserWords("");
  return readUserWords(text.slice(0, MAX_TEXT_LENGTH), synthetic === false ? [] : synthetic);
}
