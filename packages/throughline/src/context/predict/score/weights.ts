import { FEATURES, type Feature } from "./features.ts";

/**
 * How much each feature speaks for a file, in logarithmic odds. Fitted to the commits of public repositories and to sessions
 * of a coding agent, all but the last fifth of each: `npm run bench -- context fit --data FOLDER` fits them again, and judges
 * each repository by weights that were fitted without it. These data tell nothing of imports; their weight was fitted beside
 * the others to the history of this repository (146 opened files, of whose imports 10.5% changed with them).
 */
const WEIGHTS: Readonly<Record<Feature, number>> = {
  always: -6.49,
  together: 0.2,
  times: 0.43,
  next: 1.18,
  folder: 0.27,
  above: 0.15,
  recent: 0.22,
  signal: 0.13,
  popular: 0.05,
  age: 0.93,
  sameFolder: 0.18,
  nearFolder: 0.2,
  distance: 0.43,
  companion: 0.55,
  companionOfEarlier: 0.51,
  habit: -0.03,
  likePath: 0.7,
  likeEarlier: 0.22,
  rareWord: 0.99,
  sameExtension: 0.14,
  sameName: 0.52,
  folderOfPartner: 0.12,
  likeWork: 0.93,
  unused: -0.44,
  mentioned: 3.82,
  mentions: 0.27,
  mentionAge: 0.84,
  mentionedBare: -1.57,
  mentionedUnused: 1.05,
  unmentioned: -2.16,
  imported: 1,
  "new-always": 0.25,
  "new-folder": -0.18,
  "new-above": 0.22,
  "new-age": -0.23,
  "new-habit": 0.33,
  "new-likePath": 0.32,
  "new-rareWord": 0.86,
  "session-always": -1.1,
  "session-times": -0.4,
  "session-folder": -0.16,
  "session-recent": -0.22,
  "session-age": 0.14,
  "session-sameFolder": 0.16,
  "session-distance": -0.19,
};

/** The line that turns a score, as logarithmic odds, into a likelihood. */
export interface Calibration {
  readonly slope: number;
  readonly shift: number;
}

/** One for each file, and one for that at least one of a list is used. */
export interface Calibrations {
  readonly file: Calibration;
  readonly any: Calibration;
}

/** What is known when something is predicted: a file alone, what a session touched, or also what it has shown. */
export type Ground = "change" | "session" | "shown";

/** Fitted with the weights, to what weights say of repositories and sessions that they were not fitted to. */
export const CALIBRATION: Readonly<Record<Ground, Calibrations>> = {
  change: { file: { slope: 0.91, shift: 0.235 }, any: { slope: 0.378, shift: 0.49 } },
  session: { file: { slope: 0.559, shift: 0.531 }, any: { slope: 0.505, shift: 0.203 } },
  shown: { file: { slope: 0.451, shift: 0.424 }, any: { slope: 0.787, shift: 0.311 } },
};

const IN_ORDER = Float64Array.from(FEATURES, (name) => WEIGHTS[name]);

export function weightOf(feature: Feature): number {
  return WEIGHTS[feature];
}

/** What speaks for a file, all together: logarithmic odds. */
export function score(features: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < IN_ORDER.length; at += 1) sum += (IN_ORDER[at] ?? 0) * (features[at] ?? 0);
  return sum;
}
