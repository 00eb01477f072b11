import { isAuxiliary } from "../words/stop-words.ts";
import { wordSet } from "../words/word-list.ts";
import type { Word } from "./read-words.ts";

/** Part of a sentence that says one thing. */
export interface Clause {
  readonly words: readonly Word[];
  /** Which sentence of the text it belongs to. */
  readonly sentence: number;
  /** It has no subject of its own and goes on with that of the clause before. */
  readonly goesOn: boolean;
  readonly isQuestion: boolean;
}

const SENTENCE_END = /^[.!?;\n]$/;
const MARK = /^[,:().!?;]$/;
const OPENERS = wordSet("but because although though whereas while however unless if since plus except");
const PRONOUNS = wordSet("i we you he she they it there nobody everyone everybody this that");
const ASKING = wordSet(
  "can could should would do does did is are what how why when where who will have has am was were which",
);
const ASKS_ALONE = wordSet("what how why");
const DETERMINERS = wordSet("a an the my our his her their your its some no two three four five");
const CALLS = wordSet("no yes yeah yep nope oh ok okay well sure sorry thanks wow hmm haha lol actually honestly");
const THOUGHT = wordSet("think believe know say tell feel guess hope wish that how what why where when sure if");
/** How far behind `and` the verb of a new clause is looked for. */
const REACH = 6;
/** A sentence of more words than this is a list without marks: it is read in pieces. */
const LONGEST = 150;

/** The clauses of a text, sentence by sentence. A sentence that repeats an earlier one adds nothing and is left out. */
export function splitClauses(words: readonly Word[]): readonly Clause[] {
  const clauses: Clause[] = [];
  let sentence: Word[] = [];
  let count = 0;
  const seen = new Set<string>();
  const close = (mark: string) => {
    const said = withoutCalls(sentence);
    const key = `${said.map(({ text }) => text).join(" ")}${mark === "?" ? "?" : ""}`;
    const isNew = said.length > 0 && !seen.has(key);
    seen.add(key);
    if (isNew) clauses.push(...splitSentence(said, count++, mark === "?"));
    sentence = [];
  };
  for (const word of words) {
    if (SENTENCE_END.test(word.text)) close(word.text);
    else sentence.push(word);
    if (sentence.length === LONGEST) close(".");
  }
  close(".");
  return clauses;
}

/** `No, I am …` denies what was said before, not what follows. */
function withoutCalls(words: readonly Word[]): readonly Word[] {
  const [first, second] = words;
  if (first === undefined || !CALLS.has(first.text)) return words;
  if (second === undefined || second.text === "," || PRONOUNS.has(second.text) || CALLS.has(second.text)) {
    return withoutCalls(words.slice(second?.text === "," ? 2 : 1));
  }
  return words;
}

function splitSentence(words: readonly Word[], sentence: number, asks: boolean): readonly Clause[] {
  const starts = [0];
  let hasVerb = false;
  words.forEach((word, index) => {
    if (index > (starts.at(-1) ?? 0) && opensClause(words, index, hasVerb)) {
      starts.push(index);
      hasVerb = false;
    }
    hasVerb ||= isAuxiliary(word.base) || PRONOUNS.has(word.text);
  });
  const parts = starts.map((start, nth) => words.slice(start, starts[nth + 1]).filter(({ text }) => !MARK.test(text)));
  return parts.map((part, nth): Clause => {
    const own = part.filter(({ text }) => text !== "and" && text !== "or" && !OPENERS.has(text));
    const isQuestion = isAsked(own) || (asks && parts.length === 1);
    return { words: part, sentence, goesOn: nth > 0 && startsWithVerb(own), isQuestion };
  });
}

function startsWithVerb([first]: readonly Word[]): boolean {
  return first !== undefined && (isAuxiliary(first.base) || first.text === "not" || first.text === "never");
}

function isAsked([first, second]: readonly Word[]): boolean {
  if (first === undefined || second === undefined || !ASKING.has(first.text)) return false;
  return PRONOUNS.has(second.text) || ASKS_ALONE.has(first.text);
}

function opensClause(words: readonly Word[], index: number, hasVerb: boolean): boolean {
  const [word, ...rest] = words.slice(index, index + 1 + REACH);
  const [next] = rest;
  if (word === undefined) return false;
  if (OPENERS.has(word.text)) return true;
  if (word.text === "so") return next !== undefined && (PRONOUNS.has(next.text) || ASKING.has(next.text));
  if (!hasVerb || next === undefined) return false;
  if (word.text === ",") return next.text === "which" || PRONOUNS.has(next.text) || isAsked(rest);
  if (word.text === "and" || word.text === "or") return opensBehindAnd(rest);
  return isDenialWithin(words, index);
}

function opensBehindAnd([first, ...rest]: readonly Word[]): boolean {
  if (first === undefined) return false;
  if (PRONOUNS.has(first.text) || startsWithVerb([first])) return true;
  return DETERMINERS.has(first.text) && rest.some(({ base }) => base === "be" || base === "have");
}

/** `… considering I have never …`: a denial with its own subject, unless it is what somebody thinks. */
function isDenialWithin(words: readonly Word[], index: number): boolean {
  const [before, pronoun, verb, denial] = words.slice(index - 1, index + 3);
  if (pronoun === undefined || !PRONOUNS.has(pronoun.text) || THOUGHT.has(before?.base ?? "")) return false;
  return isAuxiliary(verb?.base ?? "") && (denial?.text === "never" || denial?.text === "not");
}
