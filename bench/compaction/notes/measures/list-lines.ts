import { identifiersIn } from "./identifiers.ts";

const MIN_WORDS = 4;
const MIN_SHARE = 0.6;
/** Longer runs of characters count as identifiers. */
const MAX_WORD_LENGTH = 60;

/** The lines of a note in which at least 60% of the words are or contain identifiers. */
export function listLines(note: string): string {
  return note.split("\n").filter(isList).join("\n");
}

function isList(line: string): boolean {
  const words = line.split(/[\s,;|]+/).filter((word) => word !== "");
  if (words.length < MIN_WORDS) return false;
  const names = words.filter((word) => word.length > MAX_WORD_LENGTH || identifiersIn(word).size > 0);
  return names.length / words.length >= MIN_SHARE;
}
