import type { UseIndex } from "../use/use-index.ts";
import { calibrate } from "./calibrate.ts";
import { FeatureReader } from "./features.ts";
import { gatherCandidates } from "./gather-candidates.ts";
import type { PredictionInput } from "./prediction-input.ts";
import { score } from "./weights.ts";

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
