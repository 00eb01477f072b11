import { type Cell, printTable } from "../../print-table.ts";
import { percentile } from "../percentile.ts";
import { DEPTHS } from "./depths.ts";
import type { RecallScore } from "./measure-recall.ts";
import type { Filled } from "./measure-speed.ts";
import { OURS } from "./packages/throughline.ts";
import type { Absence } from "./peer.ts";

/** All measurements of one package. */
export interface PeerResult {
  readonly name: string;
  readonly score: RecallScore;
  readonly small: Timed;
  readonly large: readonly Timed[];
}

/** One size: the cost of ingestion over all indexes, and of every question. */
export interface Timed extends Omit<Filled, "open"> {
  readonly times: readonly number[];
  /** Milliseconds to open what is stored, with the first question. */
  readonly reopenMs?: number;
  /** Bytes in files after closing. */
  readonly files: number;
}

export function printRecall(results: readonly PeerResult[], absent: readonly Absence[]): void {
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

export function printOwnAccord(results: readonly PeerResult[], absent: readonly Absence[]): void {
  printTable(
    ["with its own cut-off, at most 10", "hits, own questions", "evidence in them", "hits, foreign questions"],
    [
      ...results.map(({ name, score: { questions, own, foreign } }): Cell[] => [
        name,
        (own.hits / questions).toFixed(1),
        percent(own.found, questions),
        (foreign.hits / foreign.questions).toFixed(2),
      ]),
      ...absent.map(blank),
    ],
  );
}

export function printSpeed(results: readonly PeerResult[], absent: readonly Absence[]): void {
  const ours = results.find(({ name }) => name === OURS);
  const rows = results.flatMap(({ name, small, large }) => [
    cells(name, small, ours?.small),
    ...large.map((one, at) => cells(name, one, ours?.large[at])),
  ]);
  const headers = [
    "",
    "turns",
    "index s",
    "question p50 ms",
    "p95 ms",
    "p50 of ours",
    "open ms",
    "memory MB",
    "files MB",
  ];
  printTable(headers, [...rows, ...absent.map(blank)]);
}

function cells(
  name: string,
  { turns, seconds, times, reopenMs, memory, files }: Timed,
  ours: Timed | undefined,
): Cell[] {
  const median = percentile(times, 0.5);
  return [
    name,
    turns,
    seconds.toFixed(2),
    median.toFixed(2),
    percentile(times, 0.95).toFixed(2),
    ours === undefined ? "" : `×${(median / percentile(ours.times, 0.5)).toFixed(2)}`,
    reopenMs?.toFixed(0) ?? "",
    (memory / 1e6).toFixed(1),
    files === 0 ? "" : (files / 1e6).toFixed(1),
  ];
}

function percent(sum: number, count: number): string {
  return ((100 * sum) / Math.max(1, count)).toFixed(1);
}

function blank({ name, reason }: Absence): Cell[] {
  return [name, reason];
}
