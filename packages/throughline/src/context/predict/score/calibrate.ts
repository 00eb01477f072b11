import type { PredictionInput } from "./prediction-input.ts";
import { CALIBRATION, type Calibration, type Ground } from "./weights.ts";

/** Probability that a file with this score is used: in the same commit, or in the rest of the session. */
export function calibrate(score: number, input: PredictionInput): number {
  return follow(CALIBRATION[groundOf(input)].file, score);
}

/**
 * Probability that at least one of several files is used. They are not independent, so this has its own calibration.
 */
export function calibrateAny(confidences: readonly number[], input: PredictionInput): number {
  if (confidences.length === 0) return 0;
  return follow(CALIBRATION[groundOf(input)].any, oddsOfAny(confidences));
}

/** Log odds that at least one comes true, if they were independent. */
export function oddsOfAny(confidences: readonly number[]): number {
  const none = confidences.reduce((product, confidence) => product * (1 - confidence), 1);
  return Math.log((1 - none) / none);
}

function groundOf({ inSession, mentions }: PredictionInput): Ground {
  if (!inSession) return "change";
  return mentions.size > 0 ? "shown" : "session";
}

function follow({ slope, shift }: Calibration, score: number): number {
  return 1 / (1 + Math.exp(-(slope * score + shift)));
}
