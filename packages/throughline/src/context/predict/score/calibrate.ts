import { CALIBRATION, type Calibration } from "./weights.ts";

/** How likely a file with this score is used: the rest of the session touches it, or it is part of the same change. */
export function calibrate(score: number, inSession: boolean): number {
  return follow(inSession ? CALIBRATION.session : CALIBRATION.change, score);
}

/** How likely at least one of several is used. They are not independent of each other, which a line of its own accounts for. */
export function calibrateAny(confidences: readonly number[]): number {
  if (confidences.length === 0) return 0;
  const none = confidences.reduce((product, confidence) => product * (1 - confidence), 1);
  return follow(CALIBRATION.any, Math.log((1 - none) / none));
}

function follow({ slope, shift }: Calibration, score: number): number {
  return 1 / (1 + Math.exp(-(slope * score + shift)));
}
