import { printTable } from "../print-table.ts";
import type { SummaryScore } from "./measure-summaries.ts";
import type { WindowScore } from "./measure-windows.ts";
import { allRecall, percent, type Score, specificRecall, wholeRecall } from "./score.ts";

const RECALLS = ["all names", "as a whole word", "specific names"];
const OURS = "throughline";
/** Recall of version 0.1 at all points, by budget. */
const VERSION_0_1: ReadonlyMap<number, { readonly all: number; readonly specific: number }> = new Map([
  [8_000, { all: 0.946, specific: 0.956 }],
  [16_000, { all: 0.965, specific: 0.974 }],
  [32_000, { all: 0.965, specific: 0.974 }],
]);

export function printSummaries(scores: readonly SummaryScore[]): void {
  console.log("\nSummary alone, no tail");
  printTable(
    ["budget", "policy", "mean tokens", ...RECALLS, "over budget", "ms/point"],
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
    ["budget", "policy", "mean tokens", ...RECALLS, "over budget", "illegal", "ms/point"],
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

/** Prints the windows of Throughline beside those of version 0.1. */
export function printVersions(scores: readonly WindowScore[]): void {
  console.log("\nWhole window, beside version 0.1");
  printTable(
    ["budget", "all names", "0.1", "specific names", "0.1"],
    scores.flatMap(({ policy, budget, score }) => {
      const before = VERSION_0_1.get(budget);
      if (policy.family !== OURS || before === undefined) return [];
      const shares = [allRecall(score), before.all, specificRecall(score), before.specific];
      return [[budget.toLocaleString("en-US"), ...shares.map(percent)]];
    }),
  );
}

function meanTokens(score: Score): number {
  return Math.round(score.tokens / Math.max(1, score.points));
}

function recalls(score: Score): string[] {
  return [percent(allRecall(score)), percent(wholeRecall(score)), percent(specificRecall(score))];
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

/** Checks the targets, and the guarantees that hold for every point. */
export function checkTargets(
  summaries: readonly SummaryScore[],
  windows: readonly WindowScore[],
  isComplete: boolean,
): Verdict[] {
  const ours = windows.filter((entry) => entry.policy.family === OURS);
  const others = windows.filter((entry) => entry.policy.family !== OURS);
  return [
    ...ours.flatMap((entry) => compareBaselines(entry, others)),
    ...(isComplete ? ours.flatMap(compareVersions) : []),
    ...checkPromises([...summaries, ...ours]),
  ];
}

function compareBaselines({ budget, score }: WindowScore, others: readonly WindowScore[]): Verdict[] {
  const rivals = others.filter((entry) => entry.budget === budget);
  const best = rivals.toSorted((a, b) => specificRecall(b.score) - specificRecall(a.score))[0];
  if (best === undefined) return [];
  const [own, other] = [specificRecall(score), specificRecall(best.score)];
  const text = `ahead of every baseline at ${budget}: ${percent(own)} against ${percent(other)} of ${best.policy.family}`;
  return [{ text, holds: own > other, isPromise: false }];
}

function compareVersions({ budget, score }: WindowScore): Verdict[] {
  const before = VERSION_0_1.get(budget);
  if (before === undefined) return [];
  const own = specificRecall(score);
  const text = `at least version 0.1 at ${budget}: ${percent(own)} against ${percent(before.specific)}`;
  return [{ text, holds: own >= before.specific, isPromise: false }];
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
