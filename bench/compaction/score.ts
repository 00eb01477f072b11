import { namedIn } from "throughline/internal";
import { findIdentifiers } from "./identifiers.ts";
import type { Point } from "./points.ts";

/** Sums over the points for one policy at one budget. */
export interface Score {
  points: number;
  tokens: number;
  milliseconds: number;
  needed: number;
  found: number;
  /** Found as a whole identifier, not inside of a longer one. */
  foundWhole: number;
  shares: number[];
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
    shares: [],
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
  const found = point.needed.filter(namedIn(made.text)).length;
  score.points += 1;
  score.tokens += made.tokens;
  score.milliseconds += made.milliseconds;
  score.needed += point.needed.length;
  score.found += found;
  score.foundWhole += point.needed.filter((word) => whole.has(word)).length;
  if (point.needed.length > 0) score.shares.push(found / point.needed.length);
  if (made.tokens > made.budget) score.overBudget += 1;
  if (made.violations > 0) score.illegal += 1;
}

/** Recall over all needed identifiers together. */
export function microRecall(score: Score): number {
  return score.found / Math.max(1, score.needed);
}

export function wholeRecall(score: Score): number {
  return score.foundWhole / Math.max(1, score.needed);
}

/** Mean recall over the points that needed anything. */
export function macroRecall(score: Score): number {
  return score.shares.reduce((sum, share) => sum + share, 0) / Math.max(1, score.shares.length);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
