import type { Memory, Utterance } from "../../ports/memory.ts";
import type { Candidate, Candidates, Question } from "../search/search.ts";
import { featureReader } from "./rank/cut-features.ts";
import { comparableLikelihood, FURTHEST_BEHIND, likelihood, MIN_NAMED, minBest, minHit } from "./rank/cut-model.ts";
import { dropRepeats } from "./rank/drop-repeats.ts";
import { askedNames, type SharedNames, sharedNames } from "./rank/match-names.ts";
import { matchReasons } from "./rank/match-reasons.ts";
import { MAX_PRIOR, prior } from "./rank/priors.ts";

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
