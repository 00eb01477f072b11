import { namedIn } from "throughline/internal/inspect";
import { findIdentifiers } from "./identifiers.ts";
import type { Point } from "./points.ts";

/** Sums over the points for one policy at one budget. */
export interface Score {
  points: number;
  tokens: number;
  milliseconds: number;
  /** Needed names: all of them, and the specific ones. */
  needed: number;
  found: number;
  /** Found as a whole identifier, not inside of a longer one. */
  foundWhole: number;
  specific: number;
  foundSpecific: number;
  overBudget: number;
  illegal: number;
}

export function emptyScore(): Score {
  return {
    points: 0,
    tokens: 0,
    milliseconds: 0,
    needed: 0,
    found: 0,
    foundWhole: 0,
    specific: 0,
    foundSpecific: 0,
    overBudget: 0,
    illegal: 0,
  };
}

export interface Made {
  readonly text: string;
  readonly tokens: number;
  readonly budget: number;
  readonly milliseconds: number;
  readonly violations: number;
}

export function addToScore(score: Score, point: Point, made: Made): void {
  const whole = findIdentifiers(made.text);
  const isNamed = namedIn(made.text);
  score.points += 1;
  score.tokens += made.tokens;
  score.milliseconds += made.milliseconds;
  score.needed += point.needed.length;
  score.found += point.needed.filter(isNamed).length;
  score.foundWhole += point.needed.filter((word) => whole.has(word)).length;
  score.specific += point.specific.length;
  score.foundSpecific += point.specific.filter(isNamed).length;
  if (made.tokens > made.budget) score.overBudget += 1;
  if (made.violations > 0) score.illegal += 1;
}

/** Recall over all needed names of all points. */
export function allRecall(score: Score): number {
  return score.found / Math.max(1, score.needed);
}

export function wholeRecall(score: Score): number {
  return score.foundWhole / Math.max(1, score.needed);
}

/** Recall over the specific names of all points. */
export function specificRecall(score: Score): number {
  return score.foundSpecific / Math.max(1, score.specific);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
