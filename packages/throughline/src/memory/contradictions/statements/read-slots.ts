import type { Word } from "../../../language/parse-words.ts";
import { wordSet } from "../../../language/word-lists.ts";
import type { Subject } from "./read-subject.ts";
import { readTerms } from "./read-terms.ts";
import type { Statement } from "./statement.ts";

/** Something of which there is one, and what it is said to be. */
export interface Slot {
  readonly name: readonly string[];
  readonly value: readonly string[];
}

const ARTICLES = wordSet("a an the my our this that one");
/** How many words a name or a place takes at the most. */
const LONGEST = 3;

/** The places that a statement fills: a favorite, a home, a name. */
export function readSlots({ words, subject, negation, isUnreal, isPast, isUnsure }: Statement): readonly Slot[] {
  if (negation !== undefined || isUnreal || isPast || isUnsure) return [];
  const slots = [readFavorite(words), readHome(words, subject), readName(words)];
  return slots.filter((slot) => slot !== undefined).filter(({ value }) => value.length > 0);
}

/** `My favorite color is blue`, `blue is my favorite color`. */
function readFavorite(words: readonly Word[]): Slot | undefined {
  const at = words.findIndex(({ base }, index) => base === "favorite" && words[index - 1]?.text === "my");
  if (at < 0 || words.slice(0, at).some(({ text }) => text === "one")) return undefined;
  const is = words.findIndex(({ base }) => base === "be");
  if (is < 0) return undefined;
  const [name, value] =
    is > at ? [words.slice(at + 1, is), words.slice(is + 1)] : [words.slice(at + 1), words.slice(0, is)];
  const named = basesIn(untilComma(name));
  return named.length === 0 ? undefined : { name: ["favorite", ...named], value: basesIn(untilComma(value)) };
}

/** `I live in Lisbon`. */
function readHome(words: readonly Word[], { heads, length }: Subject): Slot | undefined {
  const [verb, preposition, place] = words.slice(length);
  if (verb?.base !== "live" || preposition?.text !== "in" || place === undefined || ARTICLES.has(place.text)) {
    return undefined;
  }
  return { name: ["home", ...heads], value: basesIn(words.slice(length + 2, length + 2 + LONGEST)) };
}

/** `My name is Ada`. */
function readName(words: readonly Word[]): Slot | undefined {
  const at = words.findIndex(({ text }, index) => text === "name" && words[index - 1]?.text === "my");
  if (at < 0 || words[at + 1]?.text !== "is") return undefined;
  return { name: ["name"], value: basesIn(words.slice(at + 2, at + 2 + LONGEST)) };
}

function untilComma(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(({ isAfterComma }, at) => at > 0 && isAfterComma);
  return end < 0 ? words : words.slice(0, end);
}

function basesIn(words: readonly Word[]): readonly string[] {
  return readTerms(words).map(({ base }) => base);
}
