import { omitUndefined } from "../../internal/json.ts";
import { readNames } from "../../language/names.ts";
import type { MemorySource } from "../../ports/memory.ts";
import { valueTerms } from "../facts/normalize-fact.ts";
import type { ProposedFact } from "./parse-facts.ts";

/** What a person said in a turn, with and without what is not theirs. */
export interface SpokenTurn {
  readonly id: string;
  readonly speaker?: string;
  readonly said: string;
  readonly own: string;
}

/** The share of a fact's words that a turn has to hold, where nothing of it was quoted. */
const ENOUGH = 0.6;
const MIN_QUOTE_LENGTH = 6;

/**
 * Where a fact was said. With a quotation: the turn in which a person said these words. Without one: the turn that holds
 * its names, its numbers and most of its other words. A fact that is found nowhere was made up.
 */
export function groundFact(proposed: ProposedFact, turns: readonly SpokenTurn[]): MemorySource | undefined {
  const { fact, quote } = proposed;
  const latest = turns.toReversed();
  for (const turn of latest) {
    const span = quote === undefined ? undefined : findQuote(quote, turn);
    if (span !== undefined && holdsNumbers(fact, turn.own)) return sourceOf(turn, span);
  }
  const turn = latest.find(({ own }) => holdsNumbers(fact, own) && holdsNames(fact, own) && holdsWords(fact, own));
  return turn === undefined ? undefined : sourceOf(turn);
}

/** Whether a text holds the numbers of a value and at least one of its words. */
export function isGrounded(value: string, text: string): boolean {
  const held = new Set(valueTerms(text));
  return holdsNumbers(value, text) && valueTerms(value).some((term) => held.has(term));
}

function sourceOf({ id, speaker }: SpokenTurn, quote?: string): MemorySource {
  return omitUndefined({ messageId: id, speaker, quote });
}

/** The words as they stand in the turn, whatever stands between them. */
function findQuote(quote: string, { said, own }: SpokenTurn): string | undefined {
  const words = quote.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.join("").length < MIN_QUOTE_LENGTH) return undefined;
  const found = new RegExp(words.join(String.raw`[^\p{L}\p{N}]{1,6}`), "iu").exec(own);
  return found === null ? undefined : said.slice(found.index, found.index + found[0].length);
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

function holdsWords(fact: string, text: string): boolean {
  const terms = valueTerms(fact);
  const held = new Set(valueTerms(text));
  return terms.length > 0 && terms.filter((term) => held.has(term)).length / terms.length >= ENOUGH;
}
