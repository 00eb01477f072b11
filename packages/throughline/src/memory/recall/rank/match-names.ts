import { readTerms } from "../../../language/terms.ts";
import { readWords } from "../../../language/words.ts";
import type { Memory } from "../../../ports/memory.ts";
import type { Candidate, Candidates, Question } from "../search.ts";

/** Names that a question and a memory share. */
export interface SharedNames {
  readonly aliases: readonly string[];
  /** Specific words, pairs of words, and the subject of the memory. */
  readonly words: readonly string[];
}

/** A question, prepared for {@link sharedNames}. */
export interface AskedNames {
  /** Stems of the question in order: ` 17 42 `. */
  readonly line: string;
  readonly terms: Candidates["terms"];
  /** Pairs of words that name a thing together, by their stems: `17 42`. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly maxDocuments: number;
}

const NO_NAMES: SharedNames = { aliases: [], words: [] };
/** A word this specific names a thing by itself. */
const MIN_WORD = 0.9;
/** Two words that follow each other in the question and in the memory are a name if they are this specific together. */
const MIN_PAIR = 0.6;
/** One word that is an alias, or the whole subject of a memory, is a name if it is this specific. */
const MIN_ALIAS = 0.3;
const MIN_SUBJECT = 0.5;
/** A word that more of the visible documents have does not tell them apart. */
const MAX_SHARE = 0.02;
const MAX_DOCUMENTS = 5;
/** A longer memory, or an account of a session, mentions many things that it is not about. */
const MAX_LENGTH = 600;
/** Aliases of a memory that are compared. */
const MAX_ALIASES = 50;
/** "Low Water": both words, wherever the pair begins. */
const CAPITALIZED = /(\p{Lu}[\p{L}\p{N}]{0,40})(?=[ -](\p{Lu}[\p{L}\p{N}]{0,40}))/gu;
/** The subject of a statement, in front of its verb. */
const SUBJECT = /^(.{1,80}?) (?:is|are|was|were|has|have|had|must|should|can|will|may)\b/iu;

/** Reads the names of a question. */
export function askedNames(
  { text }: Pick<Question, "text">,
  { terms, size }: Pick<Candidates, "terms" | "size">,
): AskedNames {
  const corrected = new Map(terms.flatMap(({ typed, hash }) => (typed === undefined ? [] : [[typed, hash] as const])));
  const stems = stemsOf(text, corrected);
  return {
    line: toLine(stems),
    terms,
    pairs: new Map([...specificPairs(stems, terms), ...capitalizedPairs(text)]),
    maxDocuments: Math.max(MAX_DOCUMENTS, MAX_SHARE * size),
  };
}

/** The names in a question that a memory goes by. A turn has no names: it may only mention a thing. */
export function sharedNames(
  asked: AskedNames,
  { candidate, memory }: { readonly candidate: Candidate; readonly memory?: Memory },
): SharedNames {
  if (memory === undefined) return NO_NAMES;
  const text = memory.levels.full;
  const isAbout = memory.kind === "fact" && text.length <= MAX_LENGTH;
  const minAlias = isAbout ? MIN_ALIAS : MIN_WORD;
  const aliases = memory.aliases.slice(0, MAX_ALIASES).filter((alias) => isAsked(alias, asked, minAlias));
  if (!isAbout) return { aliases, words: [] };
  const specific = candidate.parts.matched.filter(
    ({ specificity, documents }) => specificity >= MIN_WORD && documents <= asked.maxDocuments,
  );
  const stems = stemsOf(text);
  const pairs = stems.slice(1).flatMap((next, at) => asked.pairs.get(`${stems[at]} ${next}`) ?? []);
  const subject = SUBJECT.exec(text)?.[1] ?? "";
  const subjects = isAsked(subject, asked, MIN_SUBJECT) ? [subject] : [];
  return { aliases, words: [...new Set([...pairs, ...subjects, ...specific.map(({ word }) => word)])] };
}

/** Whether a name is in the question: several words in a row, or one that is specific enough. */
function isAsked(name: string, { line, terms }: AskedNames, minSpecificity: number): boolean {
  const stems = stemsOf(name);
  if (stems.length === 0 || !line.includes(toLine(stems))) return false;
  const own = terms.filter(({ hash }) => stems.includes(hash));
  return own.length > 1 || own.some(({ specificity }) => specificity >= minSpecificity);
}

function* specificPairs(stems: readonly number[], terms: Candidates["terms"]): Generator<readonly [string, string]> {
  const known = new Map(terms.map((term) => [term.hash, term]));
  for (let at = 1; at < stems.length; at += 1) {
    const [first, second] = [known.get(stems[at - 1] ?? 0), known.get(stems[at] ?? 0)];
    if (first === undefined || second === undefined || first === second) continue;
    if (first.specificity + second.specificity < MIN_PAIR) continue;
    yield [`${first.hash} ${second.hash}`, `${first.word} ${second.word}`];
  }
}

function capitalizedPairs(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(CAPITALIZED)].flatMap(([, first = "", second = ""]) => {
    const stems = stemsOf(`${first} ${second}`);
    return stems.length === 2 ? [[stems.join(" "), `${first} ${second}`] as const] : [];
  });
}

/** Hashes of the stems of a text, in order. */
function stemsOf(text: string, corrected?: ReadonlyMap<string, number>): readonly number[] {
  return readWords(text).flatMap((word) => readTerms(word).map(({ hash }) => corrected?.get(word) ?? hash));
}

/** With a space around each, so that a part of a line is a row of whole words. */
function toLine(stems: readonly number[]): string {
  return ` ${stems.join(" ")} `;
}
