import { FEATURES, FeatureReader } from "../../../packages/throughline/src/context/predict/file-features.ts";
import {
  gatherCandidates,
  type PredictionInput,
} from "../../../packages/throughline/src/context/predict/gather-candidates.ts";
import type { UseIndex } from "../../../packages/throughline/src/context/predict/use-index.ts";
import { generator, openFiles, type Repository, TEST_SHARE } from "./commits.ts";
import { type Example, fitLogistic, sumOf } from "./fit-logistic.ts";
import { type NextFile, nextFiles, type SessionLog } from "./sessions.ts";

/**
 * Training range of a repository: after the first commits, which have too little history, and before the test commits.
 */
const FIRST_SHARE = 0.3;
const MAX_OPENED = 1_000;
/** Sampling rate of negative examples. */
const DRAWN = 0.25;
/** First sessions to skip, which have too little history. */
const FIRST_SESSIONS = 10;
const RIDGE = 3;

export const TRAINING = { from: FIRST_SHARE, to: 1 - TEST_SHARE, max: MAX_OPENED };

/** Training examples of a repository. Larger commits weigh more, but not proportionally. */
export function commitExamples(repository: Repository): readonly Example[] {
  const draw = generator(5);
  const examples: Example[] = [];
  for (const { index, situation, targets } of openFiles(repository, TRAINING)) {
    const isUsed = (path: string): boolean => targets.has(path);
    for (const example of examplesOf(index, situation, isUsed)) {
      const isDrawn = example.used === 1 || draw() < DRAWN;
      const weight = (example.used === 1 ? 1 : 1 / DRAWN) / Math.sqrt(targets.size);
      if (isDrawn) examples.push({ ...example, weight });
    }
  }
  return examples;
}

/** Training examples of sessions. Only the next file counts as positive, because the ranking is fitted to it. */
export function sessionExamples(log: SessionLog): readonly (Example & { readonly session: number })[] {
  const examples: (Example & { readonly session: number })[] = [];
  for (const seen of [false, true]) {
    for (const { index, situation, target, session } of trainingFiles(log, seen)) {
      const isUsed = (path: string): boolean => path === target;
      for (const example of examplesOf(index, situation, isUsed)) examples.push({ ...example, session });
    }
  }
  return examples;
}

export function* trainingFiles(log: SessionLog, seen: boolean): Generator<NextFile> {
  const last = Math.floor(log.sessions.length * (1 - TEST_SHARE));
  for (const next of nextFiles(log, { seen })) if (next.session >= FIRST_SESSIONS && next.session < last) yield next;
}

export type Judge = (features: Float64Array) => number;

/** A scoring function fitted to examples, and its weights. */
export function fitJudge(examples: readonly Example[]): { readonly judge: Judge; readonly weights: Float64Array } {
  const weights = fitLogistic(examples, FEATURES.length, RIDGE);
  return { weights, judge: (features) => sumOf(weights, features) };
}

function examplesOf(
  index: UseIndex,
  situation: PredictionInput,
  isUsed: (path: string) => boolean,
): readonly Example[] {
  const candidates = gatherCandidates(index, situation);
  const reader = new FeatureReader(index, situation, candidates);
  return candidates.map((candidate) => ({
    features: reader.read(candidate),
    used: isUsed(candidate.path) ? 1 : 0,
    weight: 1,
  }));
}
