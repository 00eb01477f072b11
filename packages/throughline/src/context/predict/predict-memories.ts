import type { MemoryService } from "../../memory/memory-service.ts";
import type { RelevantMemories } from "../../memory/recall/recall-memories.ts";
import type { Memory } from "../../ports/memory.ts";
import type { PredictedFile, PredictedMemory } from "../context-api.ts";
import type { MemoryIndexes } from "../memory-index.ts";
import type { RevisionCache } from "../revision-cache.ts";
import type { BuiltIndex } from "./known-uses.ts";
import { type EqualError, EVIDENCE, type Evidence, equalErrors, gatherEvidence, type Kind } from "./memory-evidence.ts";
import type { ReadSignal } from "./read-signal.ts";

export interface VisibleMemories {
  readonly memory: Pick<MemoryService, "get" | "findRelevant">;
  /** Index by file, kind and person. Without it, memories are found by words only. */
  readonly memoryIndexes: Pick<MemoryIndexes, "open"> | undefined;
  /** Cache of searches by text. */
  readonly relevant: RevisionCache<RelevantMemories>;
}

/** Number of citations or ignores that weigh as much as the prior probability. */
const PRIOR = 4;
const MIN = 0.05;
const MAX_RELEVANT = 8;
/** Characters of an error that are searched for. */
const MAX_ERROR_LENGTH = 600;
/** Factor of candidates over the limit, because usage can change their order. */
const CANDIDATE_FACTOR = 4;

/** Predicted files, the index of uses, and memories that report the same error. */
interface MemoryClues {
  readonly files: readonly PredictedFile[];
  readonly built: BuiltIndex;
  readonly equalErrors: readonly EqualError[];
}

export async function findEqualErrors({ error }: ReadSignal, visible: VisibleMemories): Promise<readonly EqualError[]> {
  if (error === undefined || error.trim() === "") return [];
  const { search } = await openSearch(visible);
  return equalErrors(error, (await search(error.slice(0, MAX_ERROR_LENGTH))).hits);
}

/** Memories that are likely to be useful, most likely first. */
export async function predictMemories(
  signal: ReadSignal,
  clues: MemoryClues,
  visible: VisibleMemories,
): Promise<readonly PredictedMemory[]> {
  const { memoryIndexes, search } = await openSearch(visible);
  const evidence = await gatherEvidence(signal, { ...clues, memoryIndexes, relevant: search });
  const likely = [...evidence]
    .map(([id, one]) => ({ id, likelihood: likelihoodOf(one) }))
    .filter(({ likelihood }) => likelihood >= MIN)
    .sort((a, b) => b.likelihood - a.likelihood || (a.id > b.id ? -1 : 1))
    .slice(0, CANDIDATE_FACTOR * signal.limit);
  const likelihoods = new Map(likely.map(({ id, likelihood }) => [id, likelihood]));
  const memories = await visible.memory.get([...likelihoods.keys()]);
  return memories
    .filter(({ validTo, archivedAt }) => validTo === undefined && archivedAt === undefined)
    .map((memory) => ({
      memory,
      confidence: withUses(likelihoods.get(memory.id) ?? 0, memory),
      reasons: evidence.get(memory.id)?.reasons ?? [],
    }))
    .filter(({ confidence }) => confidence >= MIN)
    .sort((a, b) => b.confidence - a.confidence || (a.memory.id < b.memory.id ? -1 : 1))
    .slice(0, signal.limit);
}

/** The indexes of memories, and a search by text that is cached until memories change. */
async function openSearch({ memory, memoryIndexes: opened, relevant: known }: VisibleMemories) {
  const { memoryIndexes, revision } = (await opened?.open()) ?? { memoryIndexes: [], revision: undefined };
  const search = (text: string): Promise<RelevantMemories> => {
    const find = () => memory.findRelevant(text, { limit: MAX_RELEVANT, from: "memories" });
    return revision === undefined ? find() : known.get(text, revision, find);
  };
  return { memoryIndexes, search };
}

/** Posterior probability from the prior and the citations and ignores of a memory. */
function withUses(likelihood: number, { usage: { cited, ignored } }: Memory): number {
  return (likelihood * PRIOR + cited) / (PRIOR + cited + ignored);
}

/** Features of a memory: strengths of evidence, a constant, and one for memories unrelated to the work. */
export const FEATURES = [...EVIDENCE, "always", "farFromWork"] as const;
type Feature = (typeof FEATURES)[number];

/**
 * Weights of the features, in log odds. Fitted to sessions of a coding agent, all but the last fifth; `npm run bench --
 * context memories --data FOLDER --fit` fits them again. In this data, a similar wording of an error is no evidence.
 * The data has few equal errors, few routines and no collaborators, so the weights of equal errors, same signals, the
 * hour and the collaborator were set by hand: an equal error and a same signal count as much as an earlier use.
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
  let score = WEIGHTS.always + WEIGHTS.farFromWork * distanceFactor(strengths);
  for (const kind of EVIDENCE) score += WEIGHTS[kind] * countOf(strengths[kind]);
  return 1 / (1 + Math.exp(-score));
}

/** Feature values in the order of {@link FEATURES}. */
export function readFeatures({ strengths }: Evidence): Float64Array {
  return Float64Array.of(...EVIDENCE.map((kind) => countOf(strengths[kind])), 1, distanceFactor(strengths));
}

function distanceFactor(strengths: Evidence["strengths"]): number {
  return OF_WORK.some((kind) => strengths[kind] !== undefined) ? 0 : 1;
}

/** Diminishing returns: the first piece of evidence counts most. */
function countOf(strength = 0): number {
  return Math.sqrt(strength);
}
