import { readTerms } from "../../../language/terms.ts";
import type { Memory, Utterance } from "../../../ports/memory.ts";
import type { Candidate } from "../../search/search.ts";

/** The parts of a hit by which repeats are found. */
export interface Repeatable {
  readonly candidate: Candidate;
  readonly memory?: Memory;
  readonly turn?: Utterance;
  /** Hashes of the stems of the text. */
  readonly stems: ReadonlySet<number>;
}

type Stems = Repeatable["stems"];

const SAME_MEANING = 0.95;
/** Minimum share of common words (Jaccard index) for two texts to count as repeats. */
const SHARED_WORDS = 0.6;
/** Minimum share of a turn's words in a memory extracted from it, for the memory to replace the turn. */
const TOLD_WORDS = 0.7;
/** Words that make similar texts different: numbers. */
const TELLING = /\p{N}/u;
const NEGATION = /\b(?:not|no|never|none|without|nothing|nobody|cannot|\p{L}+n['’]t)\b/iu;

/**
 * Drops repeats of earlier hits. If a memory and the turn that it was extracted from are both hits, the memory is kept
 * at the position of the first.
 */
export function dropRepeats<T extends Repeatable>(hits: readonly T[]): readonly T[] {
  const kept: Read<T>[] = [];
  for (const hit of hits) {
    const read = { hit, words: hit.stems, isNegated: NEGATION.test(textOf(hit)) };
    const same = kept.find((one) => saySame(one, read));
    if (same === undefined) kept.push(read);
    else if (same.hit.memory === undefined && hit.memory !== undefined) Object.assign(same, read);
  }
  return kept.map(({ hit }) => hit);
}

/** A hit with the stems of its text. */
interface Read<T> {
  hit: T;
  words: Stems;
  isNegated: boolean;
}

function saySame(one: Read<Repeatable>, other: Read<Repeatable>): boolean {
  if (isMadeOf(one, other) || isMadeOf(other, one)) return true;
  if (one.isNegated !== other.isNegated) return false;
  const [a, b] = [one.words, other.words];
  // A cheap upper bound of the share, which decides most pairs.
  if (Math.min(a.size, b.size) < SHARED_WORDS * Math.max(a.size, b.size)) return false;
  const shared = countShared(a, b);
  const all = a.size + b.size - shared;
  if (all === 0) return textOf(one.hit) === textOf(other.hit);
  if (shared === all) return true;
  if (shared < SHARED_WORDS * all || hasTelling(one.hit, b) || hasTelling(other.hit, a)) return false;
  return cosine(one.hit.candidate.vector, other.hit.candidate.vector) >= SAME_MEANING;
}

/** True if a memory was extracted from a turn and contains most of its words. */
function isMadeOf(told: Read<Repeatable>, said: Read<Repeatable>): boolean {
  const { memory } = told.hit;
  const { turn } = said.hit;
  if (memory === undefined || turn === undefined || memory.source.messageId === undefined) return false;
  if (memory.source.sessionId !== turn.sessionId || memory.source.messageId !== (turn.messageId ?? turn.id))
    return false;
  return said.words.size > 0 && countShared(told.words, said.words) / said.words.size >= TOLD_WORDS;
}

function countShared(a: Stems, b: Stems): number {
  let shared = 0;
  for (const hash of a) if (b.has(hash)) shared += 1;
  return shared;
}

/** True if a text has a number that the other lacks. */
function hasTelling(hit: Repeatable, others: Stems): boolean {
  return readTerms(textOf(hit)).some(({ hash, word }) => TELLING.test(word) && !others.has(hash));
}

function textOf({ memory, turn }: Repeatable): string {
  return memory?.levels.full ?? turn?.text ?? "";
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
