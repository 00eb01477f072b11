import { omitUndefined } from "../../internal/json.ts";
import { splitSentences } from "../../language/sentences.ts";
import { readNames } from "../../language/text-names.ts";
import { foldText } from "../../language/words.ts";
import type { MemorySource } from "../../ports/memory.ts";
import { factTerms, valueTerms } from "../facts/normalize-fact.ts";
import type { TextSpan } from "./extract-turn.ts";
import type { ProposedFact } from "./parse-facts.ts";

/** The text of a person's turn: `typed` with quoted parts, `own` without. */
export interface SpokenTurn {
  readonly id: string;
  readonly speaker?: string;
  readonly typed: string;
  readonly own: string;
}

/** Minimum share of the words of a fact without a quotation that the turn contains. */
const MIN_SHARE = 0.6;
/** In letters; a character of Chinese or Japanese counts as two. */
const MIN_QUOTE_LENGTH = 6;
/** Negations, quantifiers and particles whose loss or addition reverses a statement, in folded text. */
const POLARITY =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|nothing|nobody|neither|nor|without|unless|until|except|only|always|all|every|each|any|out|off|stop|avoid|nicht|kein\p{L}{0,2}|nie|niemals|ohne|au(?:ss|ß)er|nur|immer|alle[nrs]?|jede[rnsm]?|nunca|jamas|ningun\p{L}?|nada|sin|salvo|solo|siempre|tod[oa]s?|ne|pas|jamais|aucune?|rien|sans|sauf|seulement|toujours|tous|toutes?|nao|nenhum\p{L}?|sem|exceto|somente|apenas|sempre)(?![\p{L}\p{N}])/gu;

/** A fact that a person stated. */
interface GroundedFact {
  /** The fact, or the quoted sentence if that does not support the wording of the fact. */
  readonly text: string;
  readonly source: MemorySource;
  /** The fact negates and quantifies like the person. Otherwise its key and value are not used. */
  readonly isFaithful: boolean;
}

/**
 * Finds the source of a fact. With a quotation: the turn in which a person wrote these words and the numbers of the
 * fact. If the quoted sentence lacks a word of the fact, or the fact lacks a negation or quantifier of the sentence,
 * the sentence becomes its text. Without a quotation: the turn that contains its names, numbers, negations and most of
 * its other words. A fact without a source was made up by the model.
 */
export function groundFact(proposed: ProposedFact, turns: readonly SpokenTurn[]): GroundedFact | undefined {
  const { fact, quote } = proposed;
  const latest = turns.toReversed();
  for (const turn of latest) {
    const span = quote === undefined ? undefined : findQuote(quote, turn);
    if (span === undefined || !holdsNumbers(fact, turn.own)) continue;
    const sentence = sentenceAround(span, turn);
    const isFaithful = hasSamePolarity(fact, sentence);
    const text = isFaithful && isGrounded(fact, sentence) ? fact : sentence.replace(/[\s.!。！]+$/u, "");
    return { text, source: sourceOf(turn, turn.typed.slice(span.start, span.end)), isFaithful };
  }
  const turn = latest.find(({ own }) => holds(own, fact) && isStatedIn(own, fact));
  return turn === undefined ? undefined : { text: fact, source: sourceOf(turn), isFaithful: true };
}

/**
 * True if a text contains all numbers and words of a fact or a value, in the same roles. Type parameters are ignored.
 */
export function isGrounded(value: string, text: string): boolean {
  const plain = value.replace(/(?<=[\p{L}\p{N}])<[\p{L}\p{N}, ]{0,40}>/gu, "");
  const groundedTerms = new Set([...factTerms(text), ...valueTerms(text)]);
  const terms = factTerms(plain);
  return holdsNumbers(plain, text) && terms.length > 0 && terms.every((term) => groundedTerms.has(term));
}

/** The sentences that a quotation touches, as written. */
function sentenceAround({ start, end }: TextSpan, { typed, own }: SpokenTurn): string {
  const touched = splitSentences(own, { anyCase: true }).filter((one) => one.start < end && start < one.end);
  return typed.slice(touched[0]?.start ?? start, touched.at(-1)?.end ?? end);
}

function hasSamePolarity(fact: string, sentence: string): boolean {
  return polarityOf(fact) === polarityOf(sentence);
}

function polarityOf(text: string): string {
  const words =
    foldText(text)
      .replaceAll(/n't(?!\p{L})|(?<=can)not(?!\p{L})/gu, " not")
      .match(POLARITY) ?? [];
  return [...new Set(words)].sort().join(" ");
}

/** True if one sentence of a text has the negations and quantifiers of a fact, and most of its words. */
function isStatedIn(own: string, fact: string): boolean {
  return splitSentences(own, { anyCase: true }).some(
    ({ text }) => hasSamePolarity(fact, text) && holdsWords(fact, text, MIN_SHARE),
  );
}

function sourceOf({ id, speaker }: SpokenTurn, quote?: string): MemorySource {
  return omitUndefined({ messageId: id, speaker, quote });
}

const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/gu;

/** Range of the quoted words in the turn, with any punctuation between them. */
function findQuote(quote: string, { own }: SpokenTurn): TextSpan | undefined {
  const words = quote.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = words.join("");
  if (letters.length + (letters.match(WIDE)?.length ?? 0) < MIN_QUOTE_LENGTH) return undefined;
  const found = new RegExp(words.join(String.raw`[^\p{L}\p{N}]{1,6}`), "iu").exec(own);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

function holds(text: string, fact: string): boolean {
  return holdsNumbers(fact, text) && holdsNames(fact, text) && holdsWords(fact, text, MIN_SHARE);
}

function holdsNumbers(fact: string, text: string): boolean {
  const numbers = new Set(text.match(/\d+/g));
  return (fact.match(/\d+/g) ?? []).every((number) => numbers.has(number));
}

function holdsNames(fact: string, text: string): boolean {
  const lower = text.toLowerCase();
  const names = readNames(fact.trimStart().replace(/^\S+/, ""));
  return names.every((name) => lower.includes(name));
}

function holdsWords(fact: string, text: string, minShare: number): boolean {
  const terms = valueTerms(fact);
  const groundedTerms = new Set(valueTerms(text));
  return terms.length > 0 && terms.filter((term) => groundedTerms.has(term)).length / terms.length >= minShare;
}
