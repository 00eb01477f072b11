import { omitUndefined } from "../../internal/json.ts";
import { readNames } from "../../language/names.ts";
import type { MemorySource } from "../../ports/memory.ts";
import { valueTerms } from "../facts/normalize-fact.ts";
import type { ProposedFact } from "./parse-facts.ts";

/** The text of a person's turn: `said` with quoted parts, `own` without. */
export interface SpokenTurn {
  readonly id: string;
  readonly speaker?: string;
  readonly said: string;
  readonly own: string;
}

/** Minimum share of a fact's words that the turn contains: with a quotation, and without one. */
const MIN_SHARE = { quoted: 0.5, unquoted: 0.6 };
/** In letters; a character of Chinese or Japanese counts as two. */
const MIN_QUOTE_LENGTH = 6;

/** A fact that a person stated. */
interface GroundedFact {
  /** The fact, or the quotation if the turn does not support the wording of the fact. */
  readonly text: string;
  readonly source: MemorySource;
}

/**
 * Finds the source of a fact. With a quotation: the turn in which a person wrote these words and the numbers of the
 * fact. If the turn lacks its names or half of its words, the quotation becomes its text. Without a quotation: the turn
 * that contains its names, numbers and most of its other words. A fact without a source was made up by the model.
 */
export function groundFact(proposed: ProposedFact, turns: readonly SpokenTurn[]): GroundedFact | undefined {
  const { fact, quote } = proposed;
  const latest = turns.toReversed();
  for (const turn of latest) {
    const span = quote === undefined ? undefined : findQuote(quote, turn);
    if (span === undefined || !holdsNumbers(fact, turn.own)) continue;
    return { text: holds(turn.own, fact, MIN_SHARE.quoted) ? fact : span, source: sourceOf(turn, span) };
  }
  const turn = latest.find(({ own }) => holds(own, fact, MIN_SHARE.unquoted));
  return turn === undefined ? undefined : { text: fact, source: sourceOf(turn) };
}

/** True if a text contains the numbers of a value and at least one of its words. */
export function isGrounded(value: string, text: string): boolean {
  const held = new Set(valueTerms(text));
  return holdsNumbers(value, text) && valueTerms(value).some((term) => held.has(term));
}

function sourceOf({ id, speaker }: SpokenTurn, quote?: string): MemorySource {
  return omitUndefined({ messageId: id, speaker, quote });
}

const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/gu;

/** The quoted words as written in the turn, with any punctuation between them. */
function findQuote(quote: string, { said, own }: SpokenTurn): string | undefined {
  const words = quote.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = words.join("");
  if (letters.length + (letters.match(WIDE)?.length ?? 0) < MIN_QUOTE_LENGTH) return undefined;
  const found = new RegExp(words.join(String.raw`[^\p{L}\p{N}]{1,6}`), "iu").exec(own);
  return found === null ? undefined : said.slice(found.index, found.index + found[0].length);
}

function holds(text: string, fact: string, minShare: number): boolean {
  return holdsNumbers(fact, text) && holdsNames(fact, text) && holdsWords(fact, text, minShare);
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
  const held = new Set(valueTerms(text));
  return terms.length > 0 && terms.filter((term) => held.has(term)).length / terms.length >= minShare;
}
