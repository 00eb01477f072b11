import type { SummaryScore } from "./measure-summaries.ts";
import type { WindowScore } from "./measure-windows.ts";
import { microRecall, percent } from "./score.ts";

export interface Verdict {
  readonly text: string;
  readonly holds: boolean;
  /** A promise of the product, not a target of the measure. */
  readonly isPromise: boolean;
}

const OURS = "throughline";
const SUMMARY_TARGETS = [
  { budget: "own", least: 0.92, text: "≥ 92% in a summary of the agent's own size" },
  { budget: 1_000, least: 0.75, text: "≥ 75% in a summary of 1,000 tokens" },
] as const;

/** What the issue asks of our numbers, and the promises that hold for every point. */
export function checkTargets(summaries: readonly SummaryScore[], windows: readonly WindowScore[]): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const { budget, least, text } of SUMMARY_TARGETS) {
    const ours = summaries.find((entry) => entry.policy.name === OURS && entry.budget === budget);
    if (ours === undefined) continue;
    const share = microRecall(ours.score);
    verdicts.push({ text: `${text}: ${percent(share)}`, holds: share >= least, isPromise: false });
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
