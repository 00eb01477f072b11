import process from "node:process";
import { parseArgs } from "node:util";
import { type Cell, printTable } from "../../print-table.ts";
import { atLeast, atMost, printTargets, type Target } from "../../target.ts";
import { bothPercentiles, percentile } from "../percentile.ts";
import { type MeasuredIndex, measureIndex } from "./measure-index.ts";
import { type MeasuredSentences, measureSentences } from "./measure-sentences.ts";
import { type MeasuredStore, measureStore } from "./measure-store.ts";

const USAGE = `Usage: npm run bench -- memory search [--sizes 10000,100000] [--stores 1000,100000] [--data FOLDER]
FOLDER contains locomo/ and beam/ and adds an index of real sentences. Add 1000000 to --sizes for a run of ten minutes.
`;
/** Largest p95 relative to that of FTS5 in the same run, by size. */
const MAX_RATIOS: Readonly<Record<number, number>> = { 100000: 0.2, 1000000: 0.12 };
const MIN_EXACT = 0.99;
const MAX_COLD = 3;
const MAX_GROWTH = 1.3;

/** Measures search by size: time beside FTS5, share of the exact top ten, the first recall of a process, and writes. */
export async function run(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...args], options: { sizes: text, stores: text, data: text } });
  const [sizes, stores] = [values.sizes ?? "10000,100000", values.stores ?? "1000,100000"].map((list) =>
    list === "" ? [] : list.split(",").map(Number),
  ) as [number[], number[]];
  if ([...sizes, ...stores].some((size) => !Number.isInteger(size) || size < 1)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const indexes = sizes.map((size) => progress(size, "entries in memory", () => measureIndex(size)));
  const files: MeasuredStore[] = [];
  for (const size of stores) files.push(await progress(size, "turns in a SQLite file", () => measureStore(size)));
  const sentences = values.data === undefined ? undefined : await measureSentences(values.data);
  printIndexes(indexes);
  printStores(files);
  const targets = [...indexTargets(indexes), ...sentenceTargets(sentences), ...storeTargets(files)];
  return printTargets(targets) ? 0 : 1;
}

function progress<T>(size: number, what: string, work: () => T): T {
  process.stderr.write(`${count(size)} ${what} …\n`);
  return work();
}

function printIndexes(indexes: readonly MeasuredIndex[]): void {
  printTable(
    ["entries", "bytes held", "load ms", "words p50/p95 ms", "hybrid p50/p95 ms", "FTS5 p50/p95 ms", "exact top ten"],
    indexes.map((one): Cell[] => [
      one.size,
      Math.round(one.heldBytes / one.size),
      one.loadMs.toFixed(0),
      bothPercentiles(one.words),
      bothPercentiles(one.hybrid),
      bothPercentiles(one.fts5),
      percent(one.exact),
    ]),
  );
}

function printStores(files: readonly MeasuredStore[]): void {
  if (files.length === 0) return;
  console.log("");
  printTable(
    ["turns in a file", "segments MB", "read segments ms", "first recall ms", "remember p50 ms"],
    files.map((one): Cell[] => [
      one.size,
      (one.segmentBytes / 1024 ** 2).toFixed(1),
      one.readMs.toFixed(0),
      one.coldMs.toFixed(0),
      one.rememberMs.toFixed(1),
    ]),
  );
}

function indexTargets(indexes: readonly MeasuredIndex[]): readonly Target[] {
  return indexes.flatMap(({ size, hybrid, fts5, exact }) => {
    const limit = MAX_RATIOS[size];
    const ratio = percentile(hybrid, 0.95) / percentile(fts5, 0.95);
    const speed = limit === undefined ? [] : [atMost(`search p95 at ${count(size)} against FTS5`, ratio, limit)];
    return [...speed, atLeast(`exact top ten at ${count(size)}`, exact, MIN_EXACT)];
  });
}

function sentenceTargets(sentences: MeasuredSentences | undefined): readonly Target[] {
  if (sentences === undefined) return [];
  return [atLeast(`exact top ten, ${count(sentences.size)} real sentences`, sentences.exact, MIN_EXACT)];
}

function storeTargets(files: readonly MeasuredStore[]): readonly Target[] {
  const [smallest, largest] = [files[0], files.at(-1)];
  if (smallest === undefined || largest === undefined) return [];
  const cold = atMost(
    `first recall at ${count(largest.size)} against reading its segments`,
    largest.coldMs / largest.readMs,
    MAX_COLD,
  );
  if (files.length < 2) return [cold];
  const name = `remember at ${count(largest.size)} against ${count(smallest.size)}`;
  return [cold, atMost(name, largest.rememberMs / smallest.rememberMs, MAX_GROWTH)];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function count(size: number): string {
  return size.toLocaleString("en-US");
}
