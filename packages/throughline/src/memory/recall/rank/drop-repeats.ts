import type { Memory, Turn } from "../../../ports/memory.ts";
import type { Candidate } from "../search.ts";
import { readTerms } from "../words/read-terms.ts";

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

function saySame({ hit: a, words: aWords, ...one }: Read<Repeatable>, other: Read<Repeatable>): boolean {
  const { hit: b, words: bWords } = other;
  if (isMadeOf(a, aWords, b, bWords) || isMadeOf(b, bWords, a, aWords)) return true;
  if (one.isNegated !== other.isNegated) return false;
  const onlyThere = lacking(aWords, bWords);
  const differing = [...onlyThere, ...lacking(bWords, aWords)];
  const all = aWords.size + onlyThere.length;
  if (all === 0) return textOf(a) === textOf(b);
  if (differing.length === 0) return true;
  if (1 - differing.length / all < SHARED_WORDS || differing.some((word) => TELLING.test(word))) return false;
  return cosine(a.candidate.vector, b.candidate.vector) >= SAME_MEANING;
}

/** Whether a memory was made of a turn and says most of it. */
function isMadeOf(a: Repeatable, aWords: Words, b: Repeatable, bWords: Words): boolean {
  const { memory } = a;
  const { turn } = b;
  if (memory === undefined || turn === undefined || memory.source.messageId === undefined) return false;
  if (memory.source.sessionId !== turn.sessionId || memory.source.messageId !== (turn.messageId ?? turn.id))
    return false;
  return bWords.size > 0 && 1 - lacking(aWords, bWords).length / bWords.size >= TOLD_WORDS;
}

/** Words that are wanted and not there. */
function lacking(words: Words, wanted: Words): string[] {
  const missing: string[] = [];
  for (const [hash, word] of wanted) if (!words.has(hash)) missing.push(word);
  return missing;
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
