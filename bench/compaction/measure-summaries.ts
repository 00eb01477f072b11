import { countTokens } from "throughline";
import type { Point } from "./points.ts";
import type { SummaryPolicy } from "./policy.ts";
import { addToScore, emptyScore, type Score } from "./score.ts";

/** A number of tokens, or the size of the agent's own summary at that point. */
type SummaryBudget = number | "own";

const SUMMARY_BUDGETS: readonly SummaryBudget[] = [1_000, 3_000, "own"];

export interface SummaryScore {
  readonly policy: SummaryPolicy;
  readonly budget: SummaryBudget;
  readonly score: Score;
}

export function startSummaryScores(policies: readonly SummaryPolicy[]): SummaryScore[] {
  return SUMMARY_BUDGETS.flatMap((budget) =>
    policies
      .filter((policy) => budget === "own" || policy.ownSizeOnly !== true)
      .map((policy) => ({ policy, budget, score: emptyScore() })),
  );
}

export async function measureSummaries(point: Point, scores: readonly SummaryScore[]): Promise<void> {
  for (const { policy, budget: wanted, score } of scores) {
    const budget = wanted === "own" ? point.summaryTokens : wanted;
    const start = performance.now();
    const text = await policy.summarize(point, budget);
    const milliseconds = performance.now() - start;
    addToScore(score, point, { text, tokens: countTokens(text), budget, milliseconds, violations: 0 });
  }
}
