import { DAY } from "../../internal/time.ts";
import { readTerms } from "../../language/terms.ts";
import type { Memory, Utterance } from "../../ports/memory.ts";
import type { Candidate, Candidates, Question } from "../search/search.ts";
import {
  comparableLikelihood,
  FURTHEST_BEHIND,
  featureReader,
  likelihood,
  MIN_NAMED,
  minBest,
  minHit,
} from "./cut-model.ts";
import { askedNames, matchReasons, type SharedNames, sharedNames } from "./match-reasons.ts";

/** A candidate with its stored memory or turn. */
export interface Found {
  readonly candidate: Candidate;
  /** Both are missing for a turn that {@link hitTest} excludes. It counts for the cut, but cannot be a hit. */
  readonly memory?: Memory;
  readonly turn?: Utterance;
  /** Hashes of the stems of the text. */
  readonly stems?: ReadonlySet<number>;
}

export interface RankedHit extends Found {
  /** Relevance from 0 to 1. Hits are sorted by it in descending order. */
  readonly score: number;
  /** Reasons for the hit, as short phrases. */
  readonly reasons: readonly string[];
}

export interface RankOptions {
  readonly limit: number;
  /** `calibrated` drops hits that are unlikely to be relevant, possibly all; `none` keeps them. */
  readonly cut: "calibrated" | "none";
  /** Ignores priors (age, use, confidence, pins), so that the order is the same at any time. Default: false. */
  readonly isSteady?: boolean;
}

/** A hit with its rank and its probability of being relevant. */
interface Weighed extends Found {
  readonly rank: number;
  readonly likelihood: number;
  /** The same, comparable between stores. */
  readonly relevance: number;
  /** Position of the cosine between the mean (0) and 1 (1). */
  readonly cosine: number;
  readonly names: SharedNames;
  /** True if the query names the subject of the memory. */
  readonly isNamed: boolean;
}

/** Difference in rank that divides the score of a hit by e. */
const RANK_SCALE = 10;
/** Added to the rank of a memory that the query names. */
const NAMED = 2;
/** Minimum closeness in meaning of a memory that shares no specific word with the query. */
const MIN_COSINE = 0.5;
const NO_STEMS: ReadonlySet<number> = new Set();
/** Number of top hits that decide whether any hit is relevant. The first may only be a neighbor of the relevant one. */
const LOOKED_AT = 5;

/**
 * A test of whether a candidate can be a hit, before its memory or turn is loaded. Most turns cannot: neither their text
 * nor priors or names affect their rank, so the cut is known.
 */
export function hitTest(
  candidates: Candidates,
  question: Question,
  cut: RankOptions["cut"],
): (candidate: Candidate) => boolean {
  if (cut === "none") return () => true;
  const featuresOf = featureReader(candidates, question);
  const ranks = candidates.candidates.map(({ type, score }) => score - (type === "turn" ? 0 : MAX_PRIOR));
  const least = Math.max(...ranks) - FURTHEST_BEHIND;
  const minOfEach = minHit(candidates.size);
  return (candidate) =>
    candidate.type === "memory" || (candidate.score >= least && likelihood(featuresOf(candidate)) >= minOfEach);
}

/**
 * Sorts candidates by score, names and priors (age, use, confidence, pins), drops irrelevant hits and repeats, and
 * applies the limit.
 */
export function rankHits(
  found: readonly Found[],
  candidates: Candidates,
  question: Question,
  { limit, cut, isSteady = false }: RankOptions,
): readonly RankedHit[] {
  const now = question.asOf ?? question.now;
  const asked = askedNames(question, candidates);
  const featuresOf = featureReader(candidates, question);
  const weighed = found
    .map((each): Weighed => {
      const names = sharedNames(asked, each);
      const isNamed = names.aliases.length + names.words.length > 0;
      const features = featuresOf(each.candidate);
      return {
        ...each,
        rank: each.candidate.score + (isSteady ? 0 : prior(each, now)) + (isNamed ? NAMED : 0),
        likelihood: likelihood(features),
        relevance: Math.max(comparableLikelihood(features, each.candidate, candidates.size), isNamed ? MIN_NAMED : 0),
        cosine: features.cosine,
        names,
        isNamed,
      };
    })
    .sort((a, b) => b.rank - a.rank || (a.candidate.id < b.candidate.id ? -1 : 1));
  const kept = cut === "none" ? weighed : cutOff(weighed, minBest(question), minHit(candidates.size));
  const first = weighed[0]?.rank ?? 0;
  const loaded = kept.flatMap((hit) =>
    hit.memory === undefined && hit.turn === undefined ? [] : { ...hit, stems: hit.stems ?? NO_STEMS },
  );
  const hits = dropRepeats(loaded);
  const scores = descending(hits.map(({ relevance, rank }) => relevance * Math.exp((rank - first) / RANK_SCALE)));
  return hits.slice(0, limit).map((hit, at) => {
    const { candidate, memory, turn } = hit;
    return {
      candidate,
      ...(memory === undefined ? {} : { memory }),
      ...(turn === undefined ? {} : { turn }),
      score: scores[at] ?? 0,
      reasons: matchReasons(hit, candidates),
    };
  });
}

/**
 * The closest values in descending order (isotonic regression): neighbors in the wrong order get their mean. A doubtful
 * first hit then does not lower the scores of all others below those of another store.
 */
function descending(values: readonly number[]): readonly number[] {
  const blocks: { mean: number; size: number }[] = [];
  for (const value of values) {
    let block = { mean: value, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.mean < block.mean; last = blocks.at(-1)) {
      const size = last.size + block.size;
      block = { mean: (last.mean * last.size + block.mean * block.size) / size, size };
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ mean, size }) => Array.from({ length: size }, () => mean));
}

/** Keeps memories that the query names, and other hits if the best of them is likely to be relevant. */
function cutOff(weighed: readonly Weighed[], minOfBest: number, minOfEach: number): readonly Weighed[] {
  const best = Math.max(0, ...weighed.slice(0, LOOKED_AT).map((hit) => (hit.isNamed ? 0 : hit.likelihood)));
  const first = weighed[0]?.rank ?? 0;
  const isLikely = (hit: Weighed): boolean =>
    first - hit.rank <= FURTHEST_BEHIND && hit.likelihood >= minOfEach && isSupported(hit);
  return weighed.filter((hit) => hit.isNamed || (best >= minOfBest && isLikely(hit)));
}

/**
 * A memory is understood without its neighbors, so it must contain a specific word of the query or be close in meaning.
 */
function isSupported({ candidate, cosine }: Weighed): boolean {
  return (
    candidate.type === "turn" ||
    cosine >= MIN_COSINE ||
    candidate.parts.matched.some(({ specificity }) => specificity > 0)
  );
}

/** Maximum absolute value of a prior. It orders hits of about equal score and cannot outweigh a better match. */
const MAX_PRIOR = 0.5;
const RECENT = 0.2;
const RECENT_DAYS = 60;
const PINNED = 0.3;
const CONFIDENCE = 0.4;
const USUAL_CONFIDENCE = 0.75;
/** Per doubling of the number of citations or ignores. */
const CITED = 0.1;
const IGNORED = 0.1;
/** Penalty for a memory that was retrieved this often and never cited. */
const OFTEN_RETRIEVED = 5;
const NEVER_CITED = 0.05;

/** Query-independent part of the rank of a memory; 0 for a turn. */
function prior({ memory }: { readonly memory?: Memory }, now: number): number {
  if (memory === undefined) return 0;
  const age = Math.max(0, now - memory.lastSeenAt) / DAY;
  const sum =
    RECENT * Math.exp(-age / RECENT_DAYS) +
    CONFIDENCE * (memory.confidence - USUAL_CONFIDENCE) +
    (memory.pinned ? PINNED : 0) +
    usage(memory.usage);
  return Math.min(MAX_PRIOR, Math.max(-MAX_PRIOR, sum));
}

function usage({ retrieved, cited, ignored }: Memory["usage"]): number {
  const isUseless = cited === 0 && retrieved >= OFTEN_RETRIEVED;
  return CITED * Math.log2(1 + cited) - IGNORED * Math.log2(1 + ignored) - (isUseless ? NEVER_CITED : 0);
}

/** The parts of a hit by which repeats are found. */
interface Repeatable {
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
function dropRepeats<T extends Repeatable>(hits: readonly T[]): readonly T[] {
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
