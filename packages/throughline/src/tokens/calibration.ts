import { checkOptions, NUMBER, type OptionRules, TEXT } from "../errors/check-options.ts";

/** Ratio of reported to counted tokens of one model. */
export interface CalibrationEntry {
  readonly samples: number;
  readonly mean: number;
  readonly last: number;
}

/** Model id → calibration. Plain data, so that it can be stored with a session. */
export type Calibration = Readonly<Record<string, CalibrationEntry>>;

/** Counted and reported tokens of one request. */
export interface UsageObservation {
  /** Model that was called. */
  readonly modelId: string;
  /** Tokens counted for the request, without margin. */
  readonly counted: number;
  /** Input tokens that the provider reported, including cached ones. */
  readonly reported: number;
}

const OBSERVATION_RULES: OptionRules<UsageObservation> = {
  modelId: TEXT,
  counted: NUMBER,
  reported: NUMBER,
};

/** Minimum count. In smaller requests the provider's overhead (tool schemas, wrappers) dominates the ratio. */
const MIN_COUNTED = 200;
/** A ratio outside this range means that the two numbers are not about the same request. */
const PLAUSIBLE = { min: 0.5, max: 3 };
/** Weight of a new observation in the running mean. */
const WEIGHT = 0.2;

/**
 * Adds one usage report to a calibration. Implausible reports are ignored.
 *
 * @param calibration Calibration so far; `{}` to start.
 * @param observation Counted and reported tokens of one request.
 * @returns The new calibration.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const calibration = observeUsage({}, { modelId: "claude-sonnet-4-5", counted: 1_000, reported: 1_180 });
 */
export function observeUsage(calibration: Calibration, observation: UsageObservation): Calibration {
  checkOptions("observeUsage", observation, OBSERVATION_RULES);
  const { modelId, counted, reported } = observation;
  const ratio = reported / counted;
  if (!(counted >= MIN_COUNTED) || !(ratio >= PLAUSIBLE.min && ratio <= PLAUSIBLE.max)) return calibration;
  const known = Object.hasOwn(calibration, modelId) ? calibration[modelId] : undefined;
  const samples = (known?.samples ?? 0) + 1;
  const mean = known === undefined ? ratio : known.mean + (ratio - known.mean) * Math.max(1 / samples, WEIGHT);
  return { ...calibration, [modelId]: { samples, mean, last: ratio } };
}

/**
 * Returns the ratio to count with: the larger of the running mean and the last report; `undefined` if there is none.
 *
 * @param calibration Calibration of all models.
 * @param modelId Model to count for.
 *
 * @example
 * const counter = counterFor("claude-sonnet-4-5", calibrationRatio({}, "claude-sonnet-4-5"));
 */
export function calibrationRatio(calibration: Calibration, modelId: string): number | undefined {
  const entry = Object.hasOwn(calibration, modelId) ? calibration[modelId] : undefined;
  return entry && Math.max(entry.mean, entry.last);
}
