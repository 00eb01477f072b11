import type { Memory, Turn } from "../../ports/memory.ts";
import { cutFeatures } from "./rank/cut-features.ts";
import { FURTHEST_BEHIND, leastHit, likelihood, MIN_BEST } from "./rank/cut-model.ts";
import { dropRepeats } from "./rank/drop-repeats.ts";
import { matchReasons } from "./rank/match-reasons.ts";
import { prior } from "./rank/priors.ts";
import type { Candidate, Candidates, Question } from "./search.ts";

/** A candidate with its stored memory or turn. */
export interface Found {
  readonly candidate: Candidate;
  readonly memory?: Memory;
  readonly turn?: Turn;
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
}

/** Difference in rank that divides the score of a hit by e. */
const RANK_SCALE = 2;

/**
 * Sorts candidates by score and priors (age, use, confidence, pins), drops irrelevant hits and repeats, and applies the
 * limit.
 */
export function rankHits(
  found: readonly Found[],
  candidates: Candidates,
  question: Question,
  { limit, cut, isSteady = false }: RankOptions,
): readonly RankedHit[] {
  const now = question.asOf ?? question.now;
  const weighed = found
    .map(
      (each): Weighed => ({
        ...each,
        rank: each.candidate.score + (isSteady ? 0 : prior(each, now)),
        likelihood: likelihood(cutFeatures(each.candidate, candidates, question)),
      }),
    )
    .sort((a, b) => b.rank - a.rank || (a.candidate.id < b.candidate.id ? -1 : 1));
  const kept = cut === "none" ? weighed : cutOff(weighed, candidates.size);
  const hits = dropRepeats(kept).slice(0, limit);
  const best = Math.max(0, ...weighed.slice(0, LOOKED_AT).map((hit) => hit.likelihood));
  const first = weighed[0]?.rank ?? 0;
  return hits.map(({ candidate, memory, turn, rank }) => ({
    candidate,
    ...(memory === undefined ? {} : { memory }),
    ...(turn === undefined ? {} : { turn }),
    score: best * Math.exp(Math.min(0, rank - first) / RANK_SCALE),
    reasons: matchReasons({ candidate, ...(memory && { memory }), ...(turn && { turn }) }, candidates),
  }));
}

/** Number of top hits that decide whether any hit is relevant. The first may only be a neighbor of the relevant one. */
const LOOKED_AT = 5;

function cutOff(weighed: readonly Weighed[], size: number): readonly Weighed[] {
  const best = Math.max(0, ...weighed.slice(0, LOOKED_AT).map((hit) => hit.likelihood));
  if (best < MIN_BEST) return [];
  const first = weighed[0]?.rank ?? 0;
  return weighed.filter((hit) => first - hit.rank <= FURTHEST_BEHIND && hit.likelihood >= leastHit(size));
}
