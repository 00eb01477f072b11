import { readTerms } from "../../language/terms.ts";
import { readWords } from "../../language/words.ts";
import type { Memory, Utterance } from "../../ports/memory.ts";
import type { Candidate, Candidates, Question } from "../search/search.ts";
import { aboveUsual } from "./cut-model.ts";

/** Names that a query and a memory share. */
export interface SharedNames {
  readonly aliases: readonly string[];
  /** Specific words, pairs of words, and the subject of the memory. */
  readonly words: readonly string[];
}

/** A query, prepared for {@link sharedNames}. */
interface AskedNames {
  /** Stems of the query in order: ` 17 42 `. */
  readonly line: string;
  readonly terms: Candidates["terms"];
  /** Pairs of words that form a name together, by their stems: `17 42`. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly maxDocuments: number;
  /** True if the query asks how something is run: "How do we run the tests?" */
  readonly asksForCommand: boolean;
}

const NO_NAMES: SharedNames = { aliases: [], words: [] };
/** Minimum specificity of a word that is a name by itself. */
const MIN_WORD = 0.9;
/**
 * Minimum specificity of two words together that are a name because they are adjacent in the query and in the memory.
 */
const MIN_PAIR = 0.6;
/** Minimum specificity of a single word that is an alias, or the whole subject of a memory. */
const MIN_ALIAS = 0.3;
const MIN_SUBJECT = 0.5;
/** Maximum share and number of visible documents that contain a name. More frequent words do not identify a memory. */
const MAX_SHARE = 0.02;
const MAX_DOCUMENTS = 5;
/** Minimum share of the words of a question about a command that the workflow contains. Rare words count more. */
const MIN_COMMAND_COVER = 0.5;
/** Longer memories, and episodes, mention many things that they are not about. */
const MAX_LENGTH = 600;
/** Maximum number of aliases of a memory to compare. */
const MAX_ALIASES = 50;
/** "Low Water": pairs of capitalized words, also overlapping ones. */
const CAPITALIZED = /(\p{Lu}[\p{L}\p{N}]{0,40})(?=[ -](\p{Lu}[\p{L}\p{N}]{0,40}))/gu;
/** Questions whose answer can be a command. */
const ASKS_FOR_COMMAND =
  /\bhow (?:do|can|should|to|does|did)\b|\b(?:what|which|whats|what['’]s the) commands?\b|\bcommands? (?:to|for)\b/i;
/** The subject of a statement, in front of its verb. */
const SUBJECT = /^(.{1,80}?) (?:is|are|was|were|has|have|had|must|should|can|will|may)\b/iu;

/** Reads the names of a query. */
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
    asksForCommand: ASKS_FOR_COMMAND.test(text),
  };
}

/** The names of a memory that occur in a query. A turn has no names, because it may only mention a thing. */
export function sharedNames(
  asked: AskedNames,
  { candidate, memory }: { readonly candidate: Candidate; readonly memory?: Memory },
): SharedNames {
  // A name of the memory contains a word of the query, and the index has the words of all names.
  if (memory === undefined || candidate.parts.matched.length === 0) return NO_NAMES;
  const text = memory.levels.full;
  const isAbout = memory.kind === "fact" && text.length <= MAX_LENGTH;
  const minAlias = isAbout ? MIN_ALIAS : MIN_WORD;
  const aliases = memory.aliases.slice(0, MAX_ALIASES).filter((alias) => isAsked(alias, asked, minAlias));
  if (memory.kind === "workflow" && asked.asksForCommand) return { aliases, words: commandWords(candidate, asked) };
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

/** Words of the query for what is run, if a workflow has most of them. "Run" and "command" do not count. */
function commandWords({ parts }: Candidate, { terms }: AskedNames): readonly string[] {
  const isAsked = ({ word, specificity }: AskedNames["terms"][number]) => specificity > 0 && !/^commands?$/i.test(word);
  const idf = (some: AskedNames["terms"]) => some.reduce((sum, term) => sum + term.idf, 0);
  const matched = parts.matched.filter(isAsked);
  return idf(matched) < MIN_COMMAND_COVER * idf(terms.filter(isAsked)) ? [] : matched.map(({ word }) => word);
}

/** True if a name is in the query, as several adjacent words or as one word that is specific enough. */
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

/** Stems with a space around each, so that substrings match whole words only. */
function toLine(stems: readonly number[]): string {
  return ` ${stems.join(" ")} `;
}

const MAX_WORDS = 3;
/** Maximum characters of a hit to search for a corrected word. */
const MAX_TEXT_LENGTH = 10_000;
/** Minimum position between the mean cosine (0) and 1 (1) of a text that is close in meaning. */
const CLOSE_COSINE = 0.5;
/** Smaller minimum for a text whose cosine is this number of deviations above the mean. */
const STANDING_OUT = { cosine: 0.3, deviations: 2.5 };
/** Minimum share of the query's words that are near the hit but not in it. */
const NEAR_COVER = 0.15;

/** Reasons for a hit, as short phrases. */
export function matchReasons(
  hit: {
    readonly candidate: Candidate;
    readonly memory?: Memory;
    readonly turn?: Utterance;
    readonly names: SharedNames;
  },
  { person, usualCosine }: Pick<Candidates, "person" | "usualCosine">,
): readonly string[] {
  const { candidate, memory, turn, names } = hit;
  const { cover, ownCover, meaning, cosine, date } = candidate.parts;
  const at = memory?.source.at ?? turn?.at;
  const above = aboveUsual(cosine, usualCosine);
  const standsOut = above >= STANDING_OUT.cosine && meaning >= STANDING_OUT.deviations;
  return [
    names.aliases.length > 0 && `also called ${quoteAll(names.aliases)}`,
    ...wordReasons(
      candidate.parts.matched,
      [memory?.levels.full ?? turn?.text ?? "", ...(memory?.aliases ?? [])].join(" "),
    ),
    cover - ownCover >= NEAR_COVER && "next to a match",
    (above >= CLOSE_COSINE || standsOut) && "close in meaning",
    candidate.parts.person > 0 && person !== undefined && personReason(person, turn),
    date > 0 && at !== undefined && `said on ${new Date(at).toISOString().slice(0, 10)}`,
    memory?.pinned === true && "pinned",
    (memory?.usage.cited ?? 0) > 0 && "used before",
  ].filter((reason) => typeof reason === "string");
}

/** Reasons by words, the rarest first. Ordinary words are used only if there are no others. */
function wordReasons(matched: Candidate["parts"]["matched"], text: string): readonly string[] {
  const specific = matched.filter(({ specificity }) => specificity > 0);
  const words = (specific.length > 0 ? specific : matched).toSorted((a, b) => b.idf - a.idf).slice(0, MAX_WORDS);
  const corrected = words.filter(({ typed }) => typed !== undefined);
  const exact = words.filter(({ typed }) => typed === undefined);
  return [
    ...(exact.length > 0 ? [`matches ${quoteAll(exact.map(({ word }) => word))}`] : []),
    ...corrected.map(({ word, hash, typed }) => `“${typed}” read as “${wordIn(text, hash) ?? word}”`),
  ];
}

/** The word of a text with this stem. */
function wordIn(text: string, stem: number): string | undefined {
  return readTerms(text.slice(0, MAX_TEXT_LENGTH)).find(({ hash }) => hash === stem)?.word;
}

function quoteAll(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(", ");
}

function personReason(person: NonNullable<Candidates["person"]>, turn: Utterance | undefined): string {
  const name = person === "user" ? "the user" : person.name;
  return turn === undefined ? `about ${name}` : `said by ${name}`;
}
