import { EVIDENCE, type Evidence, type Kind } from "./gather-evidence.ts";

/** What a memory is judged by, how strong each evidence is, and two that are there or not. */
export const FEATURES = [...EVIDENCE, "always", "farFromWork"] as const;
type Feature = (typeof FEATURES)[number];

/**
 * How much each speaks for a memory, in logarithmic odds. Fitted to sessions of a coding agent, all but the last fifth:
 * `npm run bench -- context memories --data FOLDER --fit` fits them again. In these, what fits an error or is done at this
 * hour is no likelier to be of use than what has nothing else to do with the work; of collaborators they tell nothing, and
 * that weight was set.
 */
const WEIGHTS: Readonly<Record<Feature, number>> = {
  namesOpened: 1.47,
  namesRecent: 1.83,
  namesPredicted: 0.6,
  ofSession: 1.49,
  fitsError: 0,
  fitsBranch: 0.6,
  ofCollaborator: 0.9,
  atThisHour: 0,
  usedBefore: 1.81,
  always: -0.68,
  farFromWork: -0.66,
};

/** Has to do with the files or the session that are worked on: more than that words are alike. */
const OF_WORK: readonly Kind[] = ["namesOpened", "namesRecent", "namesPredicted", "ofSession", "usedBefore"];

/** How likely a memory is of use. Whatever else speaks for it, it is no less likely. */
export function likelihoodOf({ strengths }: Evidence): number {
  let score = WEIGHTS.always + WEIGHTS.farFromWork * farFromWork(strengths);
  for (const kind of EVIDENCE) score += WEIGHTS[kind] * countOf(strengths[kind]);
  return 1 / (1 + Math.exp(-score));
}

/** What it is judged by, in the order of {@link FEATURES}. */
export function readFeatures({ strengths }: Evidence): Float64Array {
  return Float64Array.of(...EVIDENCE.map((kind) => countOf(strengths[kind])), 1, farFromWork(strengths));
}

function farFromWork(strengths: Evidence["strengths"]): number {
  return OF_WORK.some((kind) => strengths[kind] !== undefined) ? 0 : 1;
}

/** The first of something tells more than the rest of it. */
function countOf(strength = 0): number {
  return Math.sqrt(strength);
}
