import { printTable } from "../print-table.ts";
import type { SummaryScore } from "./measure-summaries.ts";
import type { WindowScore } from "./measure-windows.ts";
import { macroRecall, microRecall, percent, type Score, wholeRecall } from "./score.ts";

export function printSummaries(scores: readonly SummaryScore[]): void {
  console.log("\nSummary alone, no tail");
  printTable(
    ["budget", "policy", "mean tokens", "recall", "mean of points", "as a whole word", "over budget", "ms/point"],
    scores.map(({ policy, budget, score }) => [
      budget === "own" ? "agent's own" : budget.toLocaleString("en-US"),
      policy.name,
      meanTokens(score),
      ...recalls(score),
      score.overBudget,
      perPoint(score),
    ]),
  );
}

export function printWindows(scores: readonly WindowScore[]): void {
  console.log("\nWhole window");
  printTable(
    [
      "budget",
      "policy",
      "mean tokens",
      "recall",
      "mean of points",
      "as a whole word",
      "over budget",
      "illegal",
      "ms/point",
    ],
    scores.map(({ policy, budget, score }) => [
      budget.toLocaleString("en-US"),
      policy.name === policy.family ? policy.name : `${policy.family} (${policy.name})`,
      meanTokens(score),
      ...recalls(score),
      score.overBudget,
      score.illegal,
      perPoint(score),
    ]),
  );
}

function meanTokens(score: Score): number {
  return Math.round(score.tokens / Math.max(1, score.points));
}

function recalls(score: Score): string[] {
  return [percent(microRecall(score)), percent(macroRecall(score)), percent(wholeRecall(score))];
}

function perPoint(score: Score): string {
  return (score.milliseconds / Math.max(1, score.points)).toFixed(1);
}
