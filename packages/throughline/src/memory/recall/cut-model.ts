import { readWords } from "../../language/words.ts";
import type { Candidate, Candidates, Question } from "../search/search.ts";

/**
 * Features of a hit for a logistic model of its relevance. To fit the weights again: `npm run bench -- memory precision
 * --fit`, see `bench/memory/recall`. All features mean the same in a store of ten memories and in one of a million.
 */
export interface CutFeatures {
  /** Share of the query's words that the hit or its neighbors contain, 0 to 1. Rare words count more. */
  readonly cover: number;
  /** Position of the cosine between the query's mean (0) and 1 (1); 0 if the hit is alone in its store. */
  readonly cosine: number;
  /**
   * Distance of a memory's cosine above the threshold of close meaning; 0 for a turn, and for a query of broad words or
   * not in English.
   */
  readonly closeness: number;
  /** 1 if the query names one of the speakers, and the hit is by or about this person. */
  readonly knownPerson: number;
  /** Number of names in the query that no document has: the query is about another person. At most 2 count. */
  readonly unknownNames: number;
  /**
   * Share of the query's specific words that no document has: the query is about another topic. Counts less in a small
   * store, which lacks most words, and for a hit that is close in meaning.
   */
  readonly absent: number;
}

const WEIGHTS: CutFeatures = {
  cover: 2.75,
  cosine: 1,
  closeness: 6,
  knownPerson: 1.15,
  unknownNames: -0.85,
  absent: -6.2,
};
const FEATURES = Object.keys(WEIGHTS) as (keyof CutFeatures)[];
const BIAS = -0.75;
/** Number of documents at which the statistics of a store are half as reliable as those of a large one. */
const HALF_SIZE = 20;

/**
 * Minimum likelihood of the best hit: below it nothing is returned. The texts of a project share the words of the work,
 * so shared words are weaker evidence there.
 */
const MIN_BEST = 0.33;
const MIN_BEST_IN_PROJECT = 0.4;
/** Minimum likelihood of each hit, in a large store and in a small one, whose statistics are less reliable. */
const MIN_HIT_LARGE = 0.03;
const MIN_HIT_SMALL = 0.6;
/** Assumed likelihood of a memory that the query names. */
export const MIN_NAMED = 0.7;
/** Maximum difference in rank to the best hit: about 1% of its odds. */
export const FURTHEST_BEHIND = 4.5;

/** Probability that a hit is relevant, from 0 to 1. */
export function likelihood(features: CutFeatures): number {
  return 1 / (1 + Math.exp(-FEATURES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], BIAS)));
}

/**
 * Probability that a hit is relevant, comparable between stores: missing words count in a small store as in a large one,
 * and words that are only near the hit do not count.
 */
export function comparableLikelihood(features: CutFeatures, { parts }: Candidate, size: number): number {
  const absent = features.absent / (1 - smallness(size));
  return likelihood({ ...features, cover: Math.min(features.cover, parts.ownCover), absent });
}

/** Unreliability of a store's statistics: 1 for an empty store, towards 0 for a large one. */
function smallness(size: number): number {
  return HALF_SIZE / (HALF_SIZE + size);
}

/** Minimum likelihood of the best hit for a query. */
export function minBest({
  projectId,
  seesAllProjects = false,
}: Pick<Question, "projectId" | "seesAllProjects">): number {
  return projectId === undefined && !seesAllProjects ? MIN_BEST : MIN_BEST_IN_PROJECT;
}

/** Minimum likelihood of each hit in a store of this size. */
export function minHit(size: number): number {
  return MIN_HIT_LARGE + (MIN_HIT_SMALL - MIN_HIT_LARGE) * smallness(size);
}

/** A capitalized word that does not begin a sentence. */
const NAME = /(?<=[\p{L}\p{N},;:'’]\s+)\p{Lu}[\p{L}\p{N}]+/gu;
const MAX_NAMES = 2;
/** Minimum position between the mean cosine (0) and 1 (1) of a memory that is close in meaning. */
const MIN_CLOSE = 0.4;

/**
 * Reads the features of the candidates of a query for the cut. Words that occur in most texts are not evidence by
 * themselves.
 */
export function featureReader(
  { terms, size, usualCosine, person, isForeign }: Omit<Candidates, "candidates">,
  question: Pick<Question, "text">,
): (candidate: Candidate) => CutFeatures {
  const isVague = terms.every(({ specificity }) => specificity === 0);
  const isNamed = person !== undefined && person !== "user";
  const names = Math.min(MAX_NAMES, unknownNames(question.text, terms));
  const absent = absentShare(terms) * (1 - smallness(size));
  return ({ parts, type }) => {
    const cosine = aboveUsual(parts.cosine, usualCosine);
    return {
      cover: isVague ? 0 : Math.max(parts.cover, parts.ownCover),
      cosine,
      knownPerson: parts.person > 0 && isNamed ? 1 : 0,
      unknownNames: names,
      closeness: type === "memory" && !isVague && !isForeign ? Math.max(0, cosine - MIN_CLOSE) : 0,
      absent: absent * (1 - cosine),
    };
  };
}

/** Position of a cosine between the query's mean cosine (0) and 1 (1). */
export function aboveUsual(cosine: number, usual: number): number {
  return usual >= 1 ? 0 : Math.max(0, (cosine - usual) / (1 - usual));
}

/** Share of the query's specific words that no visible document has; 1 if it has no specific word. */
function absentShare(terms: Candidates["terms"]): number {
  const sum = (some: Candidates["terms"]): number => some.reduce((total, { specificity }) => total + specificity, 0);
  const all = sum(terms);
  return all === 0 ? 1 : sum(terms.filter(({ documents }) => documents === 0)) / all;
}

function unknownNames(text: string, terms: Candidates["terms"]): number {
  const names = new Set((text.match(NAME) ?? []).flatMap(readWords));
  return terms.filter(({ word, documents }) => documents === 0 && names.has(word)).length;
}
