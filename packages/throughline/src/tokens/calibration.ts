/** What was learnt of one model: how many tokens it reports for each that we count. */
export interface CalibrationEntry {
  readonly samples: number;
  readonly mean: number;
  readonly last: number;
}

/** By model id; plain data, so that it can be stored with a session. */
export type Calibration = Readonly<Record<string, CalibrationEntry>>;

/** What one request was counted for, and what the provider said. */
export interface UsageObservation {
  readonly modelId: string;
  /** What was counted for the request, without margin. */
  readonly counted: number;
  /** The input tokens that the provider reported for it, cached ones included. */
  readonly reported: number;
}

/** Below this, what a provider adds on its own (tool schemas, wrappers) would drown what is to be learnt. */
const MIN_COUNTED = 200;
/** A ratio outside of this says that the two numbers are not about the same request. */
const PLAUSIBLE = { min: 0.5, max: 3 };
/** The weight of a new observation once there are some. */
const WEIGHT = 0.2;

/**
 * Takes one report into account; an implausible one is left out.
 *
 * @example
 * calibration = observeUsage(calibration, { modelId: "claude-sonnet-4-5", counted: 1_000, reported: 1_180 });
 */
export function observeUsage(calibration: Calibration, { modelId, counted, reported }: UsageObservation): Calibration {
  const ratio = reported / counted;
  if (!(counted >= MIN_COUNTED) || !(ratio >= PLAUSIBLE.min && ratio <= PLAUSIBLE.max)) return calibration;
  const known = Object.hasOwn(calibration, modelId) ? calibration[modelId] : undefined;
  const samples = (known?.samples ?? 0) + 1;
  const mean = known === undefined ? ratio : known.mean + (ratio - known.mean) * Math.max(1 / samples, WEIGHT);
  return { ...calibration, [modelId]: { samples, mean, last: ratio } };
}

/**
 * The ratio to count with, on the careful side: the larger of the running mean and the last report.
 *
 * @example
 * const counter = counterFor(modelId, calibrationRatio(calibration, modelId));
 */
export function calibrationRatio(calibration: Calibration, modelId: string): number | undefined {
  const entry = Object.hasOwn(calibration, modelId) ? calibration[modelId] : undefined;
  return entry && Math.max(entry.mean, entry.last);
}
