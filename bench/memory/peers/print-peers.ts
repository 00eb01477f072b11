import { type Cell, printTable } from "../../print-table.ts";
import { percentile } from "../percentile.ts";
import { DEPTHS } from "./depths.ts";
import type { RecallScore } from "./measure-recall.ts";
import type { MeasuredSize } from "./measure-size.ts";
import type { Absence } from "./peer.ts";

/** The answers of one package, with one index per conversation. */
export interface PeerScore {
  readonly name: string;
  readonly score: RecallScore;
}

/** One package with one number of turns, or why it was not measured. */
export interface PeerSize {
  readonly name: string;
  readonly turns: number;
  readonly measured: MeasuredSize | string;
}

export function printRecall(results: readonly PeerScore[], absent: readonly Absence[]): void {
  const categories = [...(results[0]?.score.byCategory.keys() ?? [])].toSorted();
  printTable(
    ["", ...DEPTHS.map((depth) => `R@${depth}`), ...categories.map((name) => `${name} @10`)],
    [
      ...results.map(({ name, score }): Cell[] => [
        name,
        ...score.atDepths.map((sum) => percent(sum, score.questions)),
        ...categories.map((category) => {
          const { found = 0, questions = 0 } = score.byCategory.get(category) ?? {};
          return percent(found, questions);
        }),
      ]),
      ...absent.map(blank),
    ],
  );
}

export function printOwnAccord(results: readonly PeerScore[]): void {
  printTable(
    ["with its own cut-off, at most 10", "hits, own questions", "evidence in them", "hits, foreign questions"],
    results.map(({ name, score: { questions, own, foreign } }): Cell[] => [
      name,
      (own.hits / questions).toFixed(1),
      percent(own.found, questions),
      (foreign.hits / foreign.questions).toFixed(2),
    ]),
  );
}

export function printSizes(sizes: readonly PeerSize[]): void {
  const headers = [
    "CPU time",
    "turns",
    "question p50 ms",
    "p95 ms",
    "cold start ms",
    "fill s",
    "R@10",
    "R@50",
    "RSS MB",
    "heap MB",
    "files MB",
  ];
  printTable(headers, sizes.map(sizeCells));
}

export function sizeCells({ name, turns, measured }: PeerSize): Cell[] {
  if (typeof measured === "string") return [name, turns, measured];
  const { fillMs, coldMs, files, asked } = measured;
  return [
    name,
    turns,
    percentile(asked.times, 0.5).toFixed(2),
    percentile(asked.times, 0.95).toFixed(2),
    coldMs.toFixed(0),
    (fillMs / 1_000).toFixed(1),
    ...[asked.recallAt10, asked.recallAt50].map((share) => (share === undefined ? "–" : percent(share, 1))),
    (asked.rss / 1e6).toFixed(0),
    (asked.held / 1e6).toFixed(0),
    (files / 1e6).toFixed(1),
  ];
}

function percent(sum: number, count: number): string {
  return ((100 * sum) / Math.max(1, count)).toFixed(1);
}

function blank({ name, reason }: Absence): Cell[] {
  return [name, reason];
}
