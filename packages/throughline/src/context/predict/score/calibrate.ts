import type { FileSituation } from "./situation.ts";
import { CALIBRATION, type Calibration, type Ground } from "./weights.ts";

/** How likely a file with this score is used: it is part of the same change, or the rest of the session touches it. */
export function calibrate(score: number, situation: FileSituation): number {
  return follow(CALIBRATION[groundOf(situation)].file, score);
}

/** How likely at least one of several is used. They are not independent of each other, which a line of its own accounts for. */
export function calibrateAny(confidences: readonly number[], situation: FileSituation): number {
  if (confidences.length === 0) return 0;
  return follow(CALIBRATION[groundOf(situation)].any, oddsOfAny(confidences));
}

/** The logarithmic odds that at least one comes true, if they had nothing to do with each other. */
export function oddsOfAny(confidences: readonly number[]): number {
  const none = confidences.reduce((product, confidence) => product * (1 - confidence), 1);
  return Math.log((1 - none) / none);
}

function groundOf({ inSession, mentions }: FileSituation): Ground {
  if (!inSession) return "change";
  return mentions.size > 0 ? "shown" : "session";
}

function follow({ slope, shift }: Calibration, score: number): number {
  return 1 / (1 + Math.exp(-(slope * score + shift)));
}
