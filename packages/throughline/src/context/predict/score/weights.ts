import { FEATURES, type Feature } from "./features.ts";

/** Fitted; see below. */
const WEIGHTS: Readonly<Partial<Record<Feature, number>>> = {};

/** The line that turns a score, as logarithmic odds, into a likelihood. */
export interface Calibration {
  readonly slope: number;
  readonly shift: number;
}

export const CALIBRATION: Readonly<Record<"change" | "session" | "any", Calibration>> = {
  change: { slope: 1, shift: 0 },
  session: { slope: 1, shift: 0 },
  any: { slope: 1, shift: 0 },
};

const IN_ORDER = Float64Array.from(FEATURES, (name) => WEIGHTS[name] ?? 0);

/** What speaks for a file, all together: logarithmic odds. */
export function score(features: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < IN_ORDER.length; at += 1) sum += (IN_ORDER[at] ?? 0) * (features[at] ?? 0);
  return sum;
}
