import { EVIDENCE, type Evidence, type Kind } from "./gather-evidence.ts";

/** Features of a memory: strengths of evidence, a constant, and one for memories unrelated to the work. */
export const FEATURES = [...EVIDENCE, "always", "farFromWork"] as const;
type Feature = (typeof FEATURES)[number];

/**
 * Weights of the features, in log odds. Fitted to sessions of a coding agent, all but the last fifth; `npm run bench --
 * context memories --data FOLDER --fit` fits them again. In this data, a similar wording of an error is no evidence. The
 * data has few equal errors, few routines and no collaborators, so the weights of equal errors, same signals, the hour
 * and the collaborator were set by hand: an equal error and a same signal count as much as an earlier use.
 */
const WEIGHTS: Readonly<Record<Feature, number>> = {
  namesOpened: 1.47,
  namesRecent: 1.83,
  namesPredicted: 0.6,
  ofSession: 1.49,
  fitsError: 0,
  fitsBranch: 0.6,
  ofCollaborator: 0.9,
  atThisHour: 0.6,
  usedBefore: 1.81,
  ofEqualError: 1.81,
  ofSameSignal: 1.81,
  always: -0.68,
  farFromWork: -0.66,
};

/** Evidence of a relation to the current files or session, beyond similar words. */
const OF_WORK: readonly Kind[] = [
  "namesOpened",
  "namesRecent",
  "namesPredicted",
  "ofSession",
  "usedBefore",
  "ofEqualError",
  "ofSameSignal",
];

/** Probability that a memory is useful. More evidence never lowers it. */
export function likelihoodOf({ strengths }: Evidence): number {
  let score = WEIGHTS.always + WEIGHTS.farFromWork * farFromWork(strengths);
  for (const kind of EVIDENCE) score += WEIGHTS[kind] * countOf(strengths[kind]);
  return 1 / (1 + Math.exp(-score));
}

/** Feature values in the order of {@link FEATURES}. */
export function readFeatures({ strengths }: Evidence): Float64Array {
  return Float64Array.of(...EVIDENCE.map((kind) => countOf(strengths[kind])), 1, farFromWork(strengths));
}

function farFromWork(strengths: Evidence["strengths"]): number {
  return OF_WORK.some((kind) => strengths[kind] !== undefined) ? 0 : 1;
}

/** Diminishing returns: the first piece of evidence counts most. */
function countOf(strength = 0): number {
  return Math.sqrt(strength);
}
