import type { Memory, Turn } from "../../ports/memory.ts";
import { cutFeatures } from "./rank/cut-features.ts";
import { FURTHEST_BEHIND, leastHit, likelihood, MIN_BEST } from "./rank/cut-model.ts";
import { dropRepeats } from "./rank/drop-repeats.ts";
import { prior } from "./rank/priors.ts";
import { tellReasons } from "./rank/tell-reasons.ts";
import type { Candidate, Candidates, Question } from "./search.ts";

/** A candidate with what the store has of it. */
export interface Found {
  readonly candidate: Candidate;
  readonly memory?: Memory;
  readonly turn?: Turn;
}

export interface RankedHit extends Found {
  /** How sure it is that this is what was asked for, from 0 to 1; falling. */
  readonly score: number;
  /** Why it is there, in short phrases. */
  readonly reasons: readonly string[];
}

export interface RankOptions {
  readonly limit: number;
  /** Whether what hardly fits is left out, everything if need be. */
  readonly cut: "calibrated" | "none";
  /** What is known of the documents themselves does not count: the order is the same whenever it is asked. */
  readonly isSteady?: boolean;
}

/** A hit with what decides on it: its place, and how likely it fits at all. */
interface Weighed extends Found {
  readonly rank: number;
  readonly likelihood: number;
}

/** The odds of two hits are this much apart for each unit of rank between them. */
const RANK_SCALE = 2;

/**
 * Puts what was found in its final order, with what is known of the documents themselves (how recent, of use, certain),
 * leaves out repeats, and ends where hits no longer fit.
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
  const fitting = cut === "none" ? weighed : cutOff(weighed, candidates.size);
  const hits = dropRepeats(fitting).slice(0, limit);
  const best = Math.max(0, ...weighed.slice(0, LOOKED_AT).map((hit) => hit.likelihood));
  const first = weighed[0]?.rank ?? 0;
  return hits.map(({ candidate, memory, turn, rank }) => ({
    candidate,
    ...(memory === undefined ? {} : { memory }),
    ...(turn === undefined ? {} : { turn }),
    score: best * Math.exp(Math.min(0, rank - first) / RANK_SCALE),
    reasons: tellReasons({ candidate, ...(memory && { memory }), ...(turn && { turn }) }, candidates),
  }));
}

/** So many of the best decide whether anything fits: the first may be a neighbour of what does. */
const LOOKED_AT = 5;

function cutOff(weighed: readonly Weighed[], size: number): readonly Weighed[] {
  const best = Math.max(0, ...weighed.slice(0, LOOKED_AT).map((hit) => hit.likelihood));
  if (best < MIN_BEST) return [];
  const first = weighed[0]?.rank ?? 0;
  return weighed.filter((hit) => first - hit.rank <= FURTHEST_BEHIND && hit.likelihood >= leastHit(size));
}
