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

interface Verdict {
  readonly text: string;
  readonly holds: boolean;
  /** True for guarantees of the product, false for targets of the measurement. */
  readonly isPromise: boolean;
}

const OURS = "throughline";
const SUMMARY_TARGETS = [
  { budget: "own", min: 0.9, text: "needed ≥ 90% in a summary of the agent's own size" },
  { budget: 1_000, min: 0.7, text: "needed ≥ 70% in a summary of 1,000 tokens" },
] as const;

/** Checks the targets, and the guarantees that hold for every point. */
export function checkTargets(summaries: readonly SummaryScore[], windows: readonly WindowScore[]): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const { budget, min, text } of SUMMARY_TARGETS) {
    const ours = summaries.find((entry) => entry.policy.name === OURS && entry.budget === budget);
    if (ours === undefined) continue;
    const share = microRecall(ours.score);
    verdicts.push({ text: `${text}: ${percent(share)}`, holds: share >= min, isPromise: false });
  }
  for (const ours of windows.filter((entry) => entry.policy.family === OURS)) {
    const rivals = windows.filter((entry) => entry.budget === ours.budget && entry.policy.family !== OURS);
    const best = rivals.toSorted((a, b) => microRecall(b.score) - microRecall(a.score))[0];
    if (best === undefined) continue;
    const shares = `${percent(microRecall(ours.score))} against ${percent(microRecall(best.score))} of ${best.policy.family}`;
    const holds = microRecall(ours.score) > microRecall(best.score);
    verdicts.push({ text: `ahead of every baseline at ${ours.budget}: ${shares}`, holds, isPromise: false });
  }
  return [...verdicts, ...checkPromises([...summaries, ...windows.filter((w) => w.policy.family === OURS)])];
}

function checkPromises(entries: readonly (SummaryScore | WindowScore)[]): Verdict[] {
  const ours = entries.filter((entry) => entry.policy.name === OURS);
  if (ours.length === 0) return [];
  const over = ours.reduce((sum, entry) => sum + entry.score.overBudget, 0);
  const illegal = ours.reduce((sum, entry) => sum + entry.score.illegal, 0);
  return [
    { text: `within budget at every point (${over} over)`, holds: over === 0, isPromise: true },
    { text: `legal for the three providers at every point (${illegal} not)`, holds: illegal === 0, isPromise: true },
  ];
}
