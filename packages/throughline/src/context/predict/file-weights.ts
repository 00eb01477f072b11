import { FEATURES, type Feature } from "./file-features.ts";
import type { PredictionInput } from "./gather-candidates.ts";

/**
 * Weights of the features, in log odds. Fitted to commits of public repositories and sessions of a coding agent, all
 * but the last fifth of each; `npm run bench -- context fit --data FOLDER` fits them again, and evaluates each
 * repository with weights fitted without it. The data has no imports; their weight was fitted separately to the history
 * of this repository (146 opened files, 10.5% of their imports changed with them).
 */
const WEIGHTS: Readonly<Record<Feature, number>> = {
  always: -6.29,
  together: 0.17,
  times: 0.51,
  next: 1.18,
  folder: 0.23,
  above: 0.16,
  kin: 0.07,
  recent: 0.25,
  signal: 0.13,
  popular: -0.07,
  age: 0.79,
  sameFolder: 0.34,
  nearFolder: 0.17,
  distance: 0.35,
  companion: 0.56,
  companionOfEarlier: 0.48,
  habit: -0.02,
  likePath: 0.46,
  likeEarlier: 0.24,
  rareWord: 0.57,
  sameExtension: 0.13,
  sameName: 0.64,
  folderOfPartner: 0.12,
  likeWork: 1.01,
  unused: 0.12,
  mentioned: 3.82,
  mentions: 0.28,
  mentionAge: 0.84,
  mentionedBare: -1.6,
  mentionedUnused: 0.84,
  unmentioned: -2.17,
  imported: 1,
  "new-always": 0.08,
  "new-folder": -0.19,
  "new-above": 0.08,
  "new-age": -0.44,
  "new-habit": 0.26,
  "new-likePath": -0.1,
  "new-rareWord": 0.63,
  "new-kin": 0.23,
  "session-always": -1.48,
  "session-times": -0.39,
  "session-folder": -0.13,
  "session-recent": -0.15,
  "session-age": 0.08,
  "session-sameFolder": 0.11,
  "session-distance": -0.07,
};

/** Linear calibration of a score in log odds. */
export interface Calibration {
  readonly slope: number;
  readonly shift: number;
}

/** Calibrations for one file, and for at least one file of a list. */
interface Calibrations {
  readonly file: Calibration;
  readonly any: Calibration;
}

/** Available data: an opened file, files of a session, or also text of the session. */
type EvidenceSource = "change" | "session" | "shown";

/** Fitted with the weights, on held-out repositories and sessions. */
const CALIBRATION: Readonly<Record<EvidenceSource, Calibrations>> = {
  change: { file: { slope: 0.916, shift: 0.285 }, any: { slope: 0.368, shift: 0.584 } },
  session: { file: { slope: 0.586, shift: 0.613 }, any: { slope: 0.471, shift: 0.271 } },
  shown: { file: { slope: 0.452, shift: 0.427 }, any: { slope: 0.799, shift: 0.277 } },
};

const IN_ORDER = Float64Array.from(FEATURES, (name) => WEIGHTS[name]);

export function weightOf(feature: Feature): number {
  return WEIGHTS[feature];
}

/** Score of a file, in log odds. */
export function score(features: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < IN_ORDER.length; at += 1) sum += (IN_ORDER[at] ?? 0) * (features[at] ?? 0);
  return sum;
}

/** Probability that a file with this score is used: in the same commit, or in the rest of the session. */
export function calibrate(score: number, input: PredictionInput): number {
  return follow(CALIBRATION[evidenceSourceOf(input)].file, score);
}

/**
 * Probability that at least one of several files is used. They are not independent, so this has its own calibration.
 */
export function calibrateAny(confidences: readonly number[], input: PredictionInput): number {
  if (confidences.length === 0) return 0;
  return follow(CALIBRATION[evidenceSourceOf(input)].any, probabilityOfAny(confidences));
}

/** Log odds that at least one comes true, if they were independent. */
export function probabilityOfAny(confidences: readonly number[]): number {
  const none = confidences.reduce((product, confidence) => product * (1 - confidence), 1);
  return Math.log((1 - none) / none);
}

function evidenceSourceOf({ inSession, mentions }: PredictionInput): EvidenceSource {
  if (!inSession) return "change";
  return mentions.size > 0 ? "shown" : "session";
}

function follow({ slope, shift }: Calibration, score: number): number {
  return 1 / (1 + Math.exp(-(slope * score + shift)));
}
