import { readTerms } from "../../../language/terms.ts";
import type { Memory, Turn } from "../../../ports/memory.ts";
import type { Candidate } from "../search.ts";

/** A hit as far as repeats are concerned. */
export interface Repeatable {
  readonly candidate: Candidate;
  readonly memory?: Memory;
  readonly turn?: Turn;
}

/** The words of a text by their stems' numbers. */
type Words = ReadonlyMap<number, string>;

const SAME_MEANING = 0.95;
/** Of all words of two texts, the share that both have, from which the same meaning is believed. */
const SHARED_WORDS = 0.6;
/** The share of a turn's words that a memory made of it has to have, to stand for it. */
const TOLD_WORDS = 0.7;
/** Words that make two texts differ however alike they are otherwise: numbers. */
const TELLING = /\p{N}/u;
const NEGATION = /\b(?:not|no|never|none|without|nothing|nobody|cannot|\p{L}+n['’]t)\b/iu;

/**
 * Leaves out what says the same as a hit before it. A memory stands for the turn that it was made of, wherever of the two
 * is ahead.
 */
export function dropRepeats<T extends Repeatable>(hits: readonly T[]): readonly T[] {
  const kept: Read<T>[] = [];
  for (const hit of hits) {
    const read = { hit, words: wordsOf(hit), isNegated: NEGATION.test(textOf(hit)) };
    const same = kept.find((one) => saySame(one, read));
    if (same === undefined) kept.push(read);
    else if (same.hit.memory === undefined && hit.memory !== undefined) Object.assign(same, read);
  }
  return kept.map(({ hit }) => hit);
}

/** A hit with what it is compared by, which is read once. */
interface Read<T> {
  hit: T;
  words: Words;
  isNegated: boolean;
}

function saySame(one: Read<Repeatable>, other: Read<Repeatable>): boolean {
  if (isMadeOf(one, other) || isMadeOf(other, one)) return true;
  if (one.isNegated !== other.isNegated) return false;
  const [a, b] = [one.words, other.words];
  // That much is seen without looking at the words, and settles most pairs.
  if (Math.min(a.size, b.size) < SHARED_WORDS * Math.max(a.size, b.size)) return false;
  const shared = countShared(a, b);
  const all = a.size + b.size - shared;
  if (all === 0) return textOf(one.hit) === textOf(other.hit);
  if (shared === all) return true;
  if (shared < SHARED_WORDS * all || hasTelling(a, b) || hasTelling(b, a)) return false;
  return cosine(one.hit.candidate.vector, other.hit.candidate.vector) >= SAME_MEANING;
}

/** Whether a memory was made of a turn and says most of it. */
function isMadeOf(told: Read<Repeatable>, said: Read<Repeatable>): boolean {
  const { memory } = told.hit;
  const { turn } = said.hit;
  if (memory === undefined || turn === undefined || memory.source.messageId === undefined) return false;
  if (memory.source.sessionId !== turn.sessionId || memory.source.messageId !== (turn.messageId ?? turn.id))
    return false;
  return said.words.size > 0 && countShared(told.words, said.words) / said.words.size >= TOLD_WORDS;
}

function countShared(a: Words, b: Words): number {
  let shared = 0;
  for (const hash of a.keys()) if (b.has(hash)) shared += 1;
  return shared;
}

/** Whether one text has a word that the other lacks and that makes them differ. */
function hasTelling(words: Words, others: Words): boolean {
  for (const [hash, word] of words) if (!others.has(hash) && TELLING.test(word)) return true;
  return false;
}

function textOf({ memory, turn }: Repeatable): string {
  return memory?.levels.full ?? turn?.text ?? "";
}

/** "User lives in Lisbon" says no more than "I live in Lisbon". */
function wordsOf(hit: Repeatable): Words {
  const text = hit.memory === undefined ? textOf(hit) : textOf(hit).replace(/^(?:the )?user(?:'s)?\b/i, "");
  return new Map(readTerms(text).map(({ hash, word }) => [hash, word]));
}

function cosine(a: Int8Array | undefined, b: Int8Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return 0;
  let [product, aSquare, bSquare] = [0, 0, 0];
  a.forEach((value, at) => {
    const other = b[at] as number;
    product += value * other;
    aSquare += value * value;
    bSquare += other * other;
  });
  return product / Math.sqrt(Math.max(1, aSquare * bSquare));
}
