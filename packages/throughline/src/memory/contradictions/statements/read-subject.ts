import type { Word } from "../../../language/parse-words.ts";
import { baseFormSet } from "../../../language/stem.ts";
import { isAuxiliary, isPreposition, isStopWord } from "../../../language/stop-words.ts";
import { wordSet } from "../../../language/word-lists.ts";

/** Of whom or what a statement is made. */
export interface Subject {
  readonly person: "first" | "second" | "third";
  /** The heads of what it names; none for `it` and `they`, of which nobody knows here what they stand for. */
  readonly heads: readonly string[];
  /** How many words it takes from the start. */
  readonly length: number;
}

const FIRST = wordSet("i we");
const SECOND = wordSet("you");
const THIRD = wordSet("he she it they this that these those");
const BEFORE_SUBJECT = wordSet("there no not and but because although though while since if so");
const ANYBODY = wordSet("nobody none someone somebody anyone anybody everyone everybody");
const OBJECT_STARTS = wordSet("a an the my our his her their its your some any no more less two three four five six");
const BEHIND_HEAD = wordSet("who which that");

/** Verbs that stand behind a subject without another verb between them: `the build takes`. */
const COMMON_VERBS = baseFormSet(`
  use take run need require support prefer like love hate enjoy dislike live work listen speak know own drive play study start end
  cost contain include store deploy return expect allow happen want eat drink read write make get go see come keep give help mean
  become seem look feel think believe say tell ask call wear buy sell pay build create handle send receive accept reject provide
  offer follow lead manage maintain host serve depend belong consist last weigh measure stay travel teach learn attend visit meet
  commit merge fail pass break fix ship target compile import export depend default point connect log cache encrypt retry expire`);
/** How much of a thing, before `of`. */
const MEASURES = wordSet(
  "group crowd couple pair cluster bunch number piece slice strip bowl cup glass bottle can box bag part type bit set team",
);

export function isMeasure(base: string): boolean {
  return MEASURES.has(base);
}

/** The subject of a clause, read from its start. */
export function readSubject(words: readonly Word[]): Subject {
  const start = words.findIndex(({ text, base }) => !BEFORE_SUBJECT.has(text) && !isAuxiliary(base));
  if (start < 0) return { person: "third", heads: [], length: words.length };
  const person = personOf(words[start]?.text ?? "");
  if (person !== undefined) return { person, heads: [], length: start + 1 };
  const end = endOfSubject(words, start);
  const name = words.slice(start, end);
  // `Man, I love it`: whatever is called out before, the subject is who says I.
  const me = name.findIndex(({ text }) => FIRST.has(text));
  if (me >= 0) return { person: "first", heads: [], length: start + me + 1 };
  const anybody = name.findIndex(({ text }) => ANYBODY.has(text));
  if (anybody >= 0) return { person: "third", heads: ["person"], length: start + anybody + 1 };
  return { person: "third", heads: headsOf(name), length: end };
}

function personOf(text: string): Subject["person"] | undefined {
  if (FIRST.has(text)) return "first";
  if (SECOND.has(text)) return "second";
  return THIRD.has(text) ? "third" : undefined;
}

function endOfSubject(words: readonly Word[], start: number): number {
  let hasNoun = false;
  for (const [at, word] of words.entries()) {
    if (at < start) continue;
    const before = words[at - 1];
    if (word.text === "of" && before !== undefined && isMeasure(before.base)) hasNoun = false;
    else if (word.text === "and") hasNoun = false;
    else if (hasNoun && isBehindSubject(word, words[at + 1])) return at;
    hasNoun ||= isNoun(word);
  }
  return words.length;
}

function isBehindSubject(word: Word, next: Word | undefined): boolean {
  const { text, base } = word;
  if (isAuxiliary(base) || isPreposition(base) || BEHIND_HEAD.has(text) || text === "never") return true;
  if (/^[$£€\d]/.test(text)) return !isNumbering(word, next);
  // `holds the`, `holds two`: where something begins behind it, a word with an s is a verb.
  const isVerb =
    /[^s]s$/.test(text) && next !== undefined && (OBJECT_STARTS.has(next.text) || /^[$£€\d]/.test(next.text));
  return isVerb || /(?:ing|ed)$/.test(text) || COMMON_VERBS.has(base);
}

/** `version 2 supports`: the number belongs to the name. */
function isNumbering({ text }: Word, next: Word | undefined): boolean {
  return /^\d/.test(text) && next !== undefined && (isAuxiliary(next.base) || COMMON_VERBS.has(next.base));
}

function isNoun({ text, base }: Word): boolean {
  return !isStopWord(base, { fillers: true }) && !text.endsWith("ly") && !/^[$£€\d]/.test(text);
}

/** The last noun of each part: `two children and an adult`. */
function headsOf(name: readonly Word[]): readonly string[] {
  const heads: string[] = [];
  let head: string | undefined;
  for (const word of [...name, undefined]) {
    if (word === undefined || word.text === "and") {
      if (head !== undefined) heads.push(head);
      head = undefined;
    } else if (isNoun(word)) head = word.base;
  }
  return heads;
}
