import { parseWords, type Word } from "./parse-words.ts";
import { splitSentences } from "./sentences.ts";
import { isAuxiliary } from "./stop-words.ts";
import { wordSet } from "./word-lists.ts";

/** A part of a sentence with one predicate. */
export interface Clause {
  /**
   * Without the conjunction before it and the punctuation around it; verbatim except for apostrophes, which are
   * straight.
   */
  readonly text: string;
  /** Position in the text. */
  readonly start: number;
  /** The text of its sentence before it. */
  readonly before: string;
  /** Without punctuation; with shared subjects, including the conjunction that opens the clause. */
  readonly words: readonly Word[];
  /** Zero-based number of its sentence. */
  readonly sentence: number;
  readonly isQuestion: boolean;
  /** True if it has no subject of its own but shares that of the clause before it. */
  readonly sharesSubject: boolean;
}

export interface ClauseOptions {
  /** Also splits clauses that share a subject: "I live in Porto but work in Lisbon" (default: false). */
  readonly sharedSubjects?: boolean;
  /** Skips sentences of more characters than this (default: none). */
  readonly maxSentenceLength?: number;
}

/** A longer sentence, such as a list without punctuation, is read in pieces of this number of words. */
const MAX_SENTENCE_WORDS = 150;

const CONJUNCTIONS = wordSet(`
  and but so because cause cuz bc since although though yet or plus while whereas however then also as`);
/** Words that begin a new subject or a question. */
const SUBJECTS = wordSet(`
  i i'm im i've ive i'd i'll my we we're we've our you u your it it's its that that's this these those he he's she she's they
  they're there there's what what's how how's why where who when's which do does did are is has any lol haha`);
const SUBJECT_PAIRS = new Set(["have you", "can you", "could you", "would you", "will you", "the team"]);
const QUESTION_TAGS = wordSet("you u yours");
const MAX_CONJUNCTIONS = 6;

const MARK = /^[,:().!?;…。！？]$/;
const OPENERS = wordSet("but because although though whereas while however unless if since plus except");
/** Pronouns that can be the subject of a clause. */
const PRONOUNS = wordSet("i we you he she they it there nobody everyone everybody this that");
const ASKING = wordSet(
  "can could should would do does did is are what how why when where who will have has am was were which",
);
const ASKS_ALONE = wordSet("what how why");
const DETERMINERS = wordSet("a an the my our his her their your its some no two three four five");
const THOUGHT = wordSet("think believe know say tell feel guess hope wish that how what why where when sure if");
/** Maximum number of words after "and" that are searched for the verb of a new clause. */
const MAX_VERB_DISTANCE = 6;

/**
 * Splits an English text into clauses: at the ends of sentences, and at a comma, a dash or a conjunction before a new
 * subject. In a sentence with a question mark, the question is the clause with the word order of one, or else the last
 * clause. A text in another language is split into sentences only.
 *
 * @example
 * splitClauses("I live in Porto, but my sister is in Rome.").map(({ text }) => text);
 * // ["I live in Porto", "my sister is in Rome"]
 */
export function splitClauses(text: string, options: ClauseOptions = {}): Clause[] {
  const { sharedSubjects = false, maxSentenceLength = Number.POSITIVE_INFINITY } = options;
  const clauses: Clause[] = [];
  let sentence = 0;
  for (const { text: said, start } of splitSentences(text.replaceAll("’", "'"), { anyCase: true })) {
    if (said.length > maxSentenceLength) continue;
    for (const piece of piecesOf(said, sharedSubjects)) {
      const cuts = sharedSubjects ? cutAtPredicates(piece) : cutAtSubjects(piece);
      const found = cuts.map((_, at) => toClause(piece, cuts, at));
      const isAskedBefore = found.some(({ isQuestion }) => isQuestion);
      found.forEach((clause, at) => {
        const isQuestion = clause.isQuestion || (piece.asks && !isAskedBefore && at === found.length - 1);
        if (clause.text !== "") clauses.push({ ...clause, start: start + clause.start, sentence, isQuestion });
      });
      sentence += 1;
    }
  }
  return clauses;
}

/** A sentence, or a part of one that is read separately. */
interface Piece {
  readonly said: string;
  readonly words: readonly Word[];
  /** Position in the sentence. */
  readonly start: number;
  readonly end: number;
  readonly asks: boolean;
}

/** The words of a clause as a range of indexes, `to` exclusive. */
interface Cut {
  readonly from: number;
  readonly to: number;
}

/** A sentence in pieces of a maximum number of words; with shared subjects, also split at semicolons and ellipses. */
function piecesOf(said: string, atMarks: boolean): readonly Piece[] {
  const pieces: Word[][] = [[]];
  const all = parseWords(said);
  for (const [at, word] of all.entries()) {
    const isEllipsis = word.text === "." && (all[at - 1]?.text === "." || all[at + 1]?.text === ".");
    const isBreak = atMarks && (word.text === ";" || word.text === "…" || isEllipsis);
    if (isBreak || pieces.at(-1)?.length === MAX_SENTENCE_WORDS) pieces.push([]);
    if (!isBreak) pieces.at(-1)?.push(word);
  }
  const asks = endsInQuestion(said);
  return pieces.flatMap((words, at) => {
    const isLast = at === pieces.length - 1;
    if (words.length === 0) return [];
    const start = at === 0 ? 0 : (words[0]?.start ?? 0);
    return [{ said, words, start, end: isLast ? said.length : (words.at(-1)?.end ?? 0), asks: asks && isLast }];
  });
}

function toClause(piece: Piece, cuts: readonly Cut[], at: number): Omit<Clause, "sentence"> {
  const { said } = piece;
  const { from, to } = cuts[at] ?? { from: 0, to: 0 };
  const isLast = at === cuts.length - 1;
  const begin = at === 0 ? piece.start : (piece.words[from]?.start ?? 0);
  const raw = said.slice(begin, isLast ? piece.end : piece.words[to]?.start);
  const start = begin + raw.length - raw.trimStart().length;
  const words = piece.words.slice(from, to).filter(({ text }) => !MARK.test(text));
  const bare = words.filter(({ text }) => text !== "and" && text !== "or" && !OPENERS.has(text));
  return {
    text: withoutEnd(raw.trimStart()),
    start,
    before: said.slice(0, start),
    words,
    isQuestion: isAsked(bare[0]?.text === "so" ? bare.slice(1) : bare),
    sharesSubject: at > 0 && startsWithVerb(bare),
  };
}

/** Without the punctuation and white space, or the dash, at the end. */
function withoutEnd(text: string): string {
  return text.replace(/(?<![.!?…。！？\s])[.!?…。！？\s]+$/, "").replace(/(?<!\s)\s+[-–—]+$/, "");
}

function endsInQuestion(said: string): boolean {
  let end = said.length;
  while (end > 0 && ".!…\"')]”’ ".includes(said.charAt(end - 1))) end -= 1;
  return "?？؟".includes(said.charAt(end - 1)) && end > 0;
}

/** Cuts at punctuation or a conjunction before a new subject, and at a question such as "how about you". */
function cutAtSubjects({ said, words }: Piece): readonly Cut[] {
  const cuts: Cut[] = [];
  let from = 0;
  words.forEach((_, at) => {
    if (!beginsSubject(said, words, at)) return;
    const conjunction = beforeConjunctions(words, at);
    const to = beforeMarks(said, words, conjunction);
    const isCut = to !== undefined || conjunction < at || asksBack(words, at);
    if (!isCut || (to ?? conjunction) <= from) return;
    cuts.push({ from, to: to ?? conjunction });
    from = at;
  });
  return [...cuts, { from, to: words.length }];
}

function beginsSubject(said: string, words: readonly Word[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  // A contraction is one token and several words. Only the first can begin a subject.
  if (word === undefined || words[at - 1]?.start === word.start) return false;
  const token = said.slice(word.start, word.end).toLowerCase();
  return SUBJECTS.has(token) || SUBJECT_PAIRS.has(`${token} ${next?.text ?? ""}`);
}

/** The index of the first of the conjunctions before a word. Each may have a comma after it. */
function beforeConjunctions(words: readonly Word[], at: number): number {
  let first = at;
  for (let count = 0; count < MAX_CONJUNCTIONS; count += 1) {
    const [earlier, before] = [words[first - 2]?.text ?? "", words[first - 1]?.text ?? ""];
    if (CONJUNCTIONS.has(before)) first -= 1;
    else if (before === "," && CONJUNCTIONS.has(earlier)) first -= 2;
    else break;
  }
  return first;
}

/** The index of the first punctuation mark before a word that separates clauses; `undefined` if there is none. */
function beforeMarks(said: string, words: readonly Word[], at: number): number | undefined {
  let first = at;
  while (/^[,;:(.…]$/.test(words[first - 1]?.text ?? "")) first -= 1;
  const gap = said.slice(words[first - 1]?.end ?? 0, words[at]?.start);
  const isMark = /[,;:(…]$|\.\.$/.test(gap.trim()) || /(?<!\s)\s+[-–—]+\s+$/.test(gap);
  return isMark ? first : undefined;
}

function asksBack(words: readonly Word[], at: number): boolean {
  const [first, about, whom] = words.slice(at, at + 3).map(({ text }) => text);
  return (first === "what" || first === "how") && about === "about" && QUESTION_TAGS.has(whom ?? "");
}

/** Cuts at each new predicate, with or without a subject of its own. */
function cutAtPredicates({ words }: Piece): readonly Cut[] {
  const starts = [0];
  let hasVerb = false;
  words.forEach((word, at) => {
    if (at > (starts.at(-1) ?? 0) && opensPredicate(words, at, hasVerb)) {
      starts.push(at);
      hasVerb = false;
    }
    hasVerb ||= isAuxiliary(word.base) || PRONOUNS.has(word.text);
  });
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? words.length }));
}

function opensPredicate(words: readonly Word[], at: number, hasVerb: boolean): boolean {
  const [word, ...rest] = words.slice(at, at + 1 + MAX_VERB_DISTANCE);
  const [next] = rest;
  if (word === undefined) return false;
  if (OPENERS.has(word.text)) return true;
  if (word.text === "so") return next !== undefined && (PRONOUNS.has(next.text) || ASKING.has(next.text));
  if (!hasVerb || next === undefined) return false;
  if (word.text === ",") return next.text === "which" || PRONOUNS.has(next.text) || isAsked(rest);
  if (word.text === "and" || word.text === "or") return opensAfterAnd(rest);
  return isDenialWithin(words, at);
}

function opensAfterAnd([first, ...rest]: readonly Word[]): boolean {
  if (first === undefined) return false;
  if (PRONOUNS.has(first.text) || startsWithVerb([first])) return true;
  return DETERMINERS.has(first.text) && rest.some(({ base }) => base === "be" || base === "have");
}

/**
 * True for a negation with a subject of its own ("… considering I have never …"), unless a verb of thinking governs it.
 */
function isDenialWithin(words: readonly Word[], at: number): boolean {
  const [before, pronoun, verb, denial] = words.slice(at - 1, at + 3);
  if (pronoun === undefined || !PRONOUNS.has(pronoun.text) || THOUGHT.has(before?.base ?? "")) return false;
  return isAuxiliary(verb?.base ?? "") && (denial?.text === "never" || denial?.text === "not");
}

function startsWithVerb([first]: readonly Word[]): boolean {
  return first !== undefined && (isAuxiliary(first.base) || first.text === "not" || first.text === "never");
}

function isAsked([first, second]: readonly Word[]): boolean {
  if (first === undefined || second === undefined || !ASKING.has(first.text)) return false;
  return PRONOUNS.has(second.text) || ASKS_ALONE.has(first.text);
}
