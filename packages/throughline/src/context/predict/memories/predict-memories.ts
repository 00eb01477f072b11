import type { MemoryService } from "../../../memory/memory-service.ts";
import type { RelevantMemories } from "../../../memory/recall/recall-memories.ts";
import type { Memory } from "../../../ports/memory.ts";
import type { PredictedFile, PredictedMemory } from "../../context-api.ts";
import type { MemoryIndexes } from "../../memory-indexes.ts";
import type { RevisionCache } from "../../revision-cache.ts";
import type { BuiltIndex } from "../learn/build-index.ts";
import type { ReadSignal } from "../signals/read-signal.ts";
import { type EqualError, equalErrors } from "./equal-errors.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { likelihoodOf } from "./likelihood.ts";

/** Access to memories. */
export interface MemorySight {
  readonly memory: Pick<MemoryService, "getAll" | "findRelevant">;
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
const SPARE = 4;

/** Predicted files, the index of uses, and memories that report the same error. */
interface MemoryClues {
  readonly files: readonly PredictedFile[];
  readonly built: BuiltIndex;
  readonly equalErrors: readonly EqualError[];
}

/** Memories that report the same error as a signal. */
export async function findEqualErrors({ error }: ReadSignal, sight: MemorySight): Promise<readonly EqualError[]> {
  if (error === undefined || error.trim() === "") return [];
  const { search } = await openSearch(sight);
  return equalErrors(error, (await search(error.slice(0, MAX_ERROR_LENGTH))).hits);
}

/** Memories that are likely to be useful, most likely first. */
export async function predictMemories(
  signal: ReadSignal,
  clues: MemoryClues,
  sight: MemorySight,
): Promise<readonly PredictedMemory[]> {
  const { memoryIndexes, search } = await openSearch(sight);
  const evidence = await gatherEvidence(signal, { ...clues, memoryIndexes, relevant: search });
  const likely = [...evidence]
    .map(([id, one]) => ({ id, likelihood: likelihoodOf(one) }))
    .filter(({ likelihood }) => likelihood >= MIN)
    .sort((a, b) => b.likelihood - a.likelihood || (a.id > b.id ? -1 : 1))
    .slice(0, SPARE * signal.limit);
  const likelihoods = new Map(likely.map(({ id, likelihood }) => [id, likelihood]));
  const memories = await sight.memory.getAll([...likelihoods.keys()]);
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
async function openSearch({ memory, memoryIndexes: opened, relevant: known }: MemorySight) {
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
