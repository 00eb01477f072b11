import type { UseIndex } from "../use/use-index.ts";
import { FeatureReader } from "./features.ts";
import { gatherCandidates } from "./gather-candidates.ts";
import type { PredictionInput } from "./prediction-input.ts";
import { calibrate, score } from "./weights.ts";

/** A file with its probability. */
export interface RankedFile {
  readonly path: string;
  /** Id in the index. -1 for a file without history. */
  readonly id: number;
  readonly features: Float64Array;
  readonly score: number;
  readonly confidence: number;
}

/** Number of best files to choose from. */
const POOL = 60;

/** Most likely files, best first. More than the limit, so that the caller can choose. */
export function rankFiles(
  index: UseIndex,
  input: PredictionInput,
  judge: (features: Float64Array) => number = score,
): readonly RankedFile[] {
  const candidates = gatherCandidates(index, input);
  const reader = new FeatureReader(index, input, candidates);
  return candidates
    .map((candidate) => {
      const features = reader.read(candidate);
      return { path: candidate.path, id: candidate.id, features, score: judge(features) };
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, POOL)
    .map((file) => ({ ...file, confidence: calibrate(file.score, input) }));
}

/** Penalties for similarity to a chosen file: always used together, same folder, same name. */
const SAME_USES = 0.4;
const SAME_FOLDER = 0.1;
const SAME_NAME = 0.1;
const LOOKED_AT = 60;

/**
 * Chooses diverse files. An opened file can be the start of several tasks, so after files of one task, a file of
 * another is worth more. In a session the task is clearer, and the best files are taken.
 */
export function spreadFiles(
  index: UseIndex,
  { inSession }: Pick<PredictionInput, "inSession">,
  ranked: readonly RankedFile[],
  limit: number,
): readonly RankedFile[] {
  if (inSession || ranked.length <= limit) return ranked.slice(0, limit);
  const left = ranked.map((file) => ({ file, worth: file.confidence, uses: usesOf(index, file) }));
  const chosen: RankedFile[] = [];
  while (chosen.length < limit) {
    const at = left.reduce((best, one, place) => (one.worth > (left[best]?.worth ?? 0) ? place : best), 0);
    const [best] = left.splice(at, 1);
    if (best === undefined) break;
    chosen.push(best.file);
    for (const other of left)
      other.worth *= (1 - SAME_USES * likeness(best.uses, other.uses)) * pathDistance(index, best.file, other.file);
  }
  return chosen.sort((a, b) => b.confidence - a.confidence || (a.path < b.path ? -1 : 1));
}

function usesOf(index: UseIndex, { id }: RankedFile): ReadonlySet<number> {
  return new Set(index.usesOf(id).slice(-LOOKED_AT));
}

function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const use of a) if (b.has(use)) shared += 1;
  return shared / Math.sqrt((a.size + 1) * (b.size + 1));
}

function pathDistance(index: UseIndex, a: RankedFile, b: RankedFile): number {
  const [one, other] = [index.files[a.id], index.files[b.id]];
  if (one === undefined || other === undefined) return 1;
  return (one.folder === other.folder ? 1 - SAME_FOLDER : 1) * (one.name === other.name ? 1 - SAME_NAME : 1);
}
