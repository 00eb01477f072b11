import { readUserWords, type UserWords } from "../../ledger/quoted/user-words.ts";
import type { ExtractTurn } from "./extract-turn.ts";

/**
 * Maximum characters to read. People state facts about themselves in short texts; the rest of a longer one is pasted.
 */
const MAX_TEXT_LENGTH = 20_000;

/**
 * The text of a turn with everything blanked that its speaker did not write. Offsets stay unchanged, so that findings
 * can be quoted from the original text.
 */
export function blankForeignText({ text, synthetic = false }: ExtractTurn): UserWords {
  if (synthetic === true) return readUserWords("");
  return readUserWords(text.slice(0, MAX_TEXT_LENGTH), synthetic === false ? [] : synthetic);
}
