import type { UseIndex } from "../use/use-index.ts";
import { calibrate } from "./calibrate.ts";
import { FeatureReader } from "./features.ts";
import { gatherCandidates } from "./gather-candidates.ts";
import type { FileSituation } from "./situation.ts";
import { score } from "./weights.ts";

/** A file with how likely it is used. */
export interface RankedFile {
  readonly path: string;
  /** In the index; -1 where it has no history. */
  readonly id: number;
  readonly features: Float64Array;
  readonly score: number;
  readonly confidence: number;
}

/** So many of the best are chosen from. */
const POOL = 60;

/** The files that are most likely to be used, the best first: more than are wanted, to choose from. */
export function rankFiles(
  index: UseIndex,
  situation: FileSituation,
  judge: (features: Float64Array) => number = score,
): readonly RankedFile[] {
  const candidates = gatherCandidates(index, situation);
  const reader = new FeatureReader(index, situation, candidates);
  return candidates
    .map((candidate) => {
      const features = reader.read(candidate);
      return { path: candidate.path, id: candidate.id, features, score: judge(features) };
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, POOL)
    .map((file) => ({ ...file, confidence: calibrate(file.score, situation) }));
}
