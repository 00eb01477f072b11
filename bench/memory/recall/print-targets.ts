import { printTable } from "../../print-table.ts";

/** A measure in percent, with its target and comparisons. */
export interface Measure {
  readonly name: string;
  readonly ours: number;
  readonly target: number;
  /** Version 0.1 on the same data. */
  readonly before: number;
  /** Plain BM25, if the measure applies to it. */
  readonly bm25: number;
}

/** Prints measures beside their targets, version 0.1 and plain BM25. Returns 0 if all targets hold, otherwise 1. */
export function printTargets(measures: readonly Measure[]): number {
  const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;
  printTable(
    ["measure", "ours", "target", "met", "version 0.1", "plain BM25"],
    measures.map(({ name, ours, target, before, bm25 }) => [
      name,
      percent(ours),
      `≥ ${percent(target)}`,
      ours >= target ? "yes" : "no",
      percent(before),
      percent(bm25),
    ]),
  );
  return measures.every(({ ours, target }) => ours >= target) ? 0 : 1;
}
