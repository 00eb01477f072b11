import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { EXHAUSTIVE, type Question, searchIndexes } from "../../../packages/throughline/src/memory/recall/search.ts";
import {
  packEntry,
  packVector,
  type Searchable,
} from "../../../packages/throughline/src/memory/recall/search-entry.ts";
import { SearchIndex } from "../../../packages/throughline/src/memory/recall/search-index.ts";
import type { SearchEntry } from "../../../packages/throughline/src/ports/memory-store.ts";
import { type Cell, printTable } from "../../print-table.ts";
import { bytesHeld } from "../bytes-held.ts";
import { bothPercentiles, percentile } from "../percentile.ts";
import { generator, makeEntries, makeQuestions, makeVector } from "./generated-turns.ts";

const USAGE = "Usage: npm run bench -- memory search [--sizes 1000,10000,100000,1000000]\n";
const SIZES = "1000,10000,100000,1000000";
const DIMENSIONS = 100;
const QUESTIONS = 60;
const CANDIDATES = 70;
/** Questions whose hits are compared with the exact ones. */
const COMPARED = 40;
/** Repetitions per question; the median counts. */
const REPEATED = 3;
const EMBEDDER = "made";
/** Milliseconds at this many entries. */
const TARGET = { size: 100_000, p95: 50 };
const MEGABYTE = 1024 * 1024;

interface Measured {
  readonly size: number;
  readonly bytes: number;
  readonly loadMs: number;
  readonly heldBytes: number;
  readonly firstMs: number;
  readonly words: readonly number[];
  readonly hybrid: readonly number[];
  readonly fts5: readonly number[];
  /** Share of the exact top ten that the search returns. */
  readonly exact: number;
}

/** Measures search time by index size, compared with FTS5 on the same texts and questions. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { sizes: { type: "string" }, data: { type: "string" } } });
  const sizes = (values.sizes ?? SIZES).split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const measured = sizes.map((size) => {
    process.stderr.write(`${size.toLocaleString("en-US")} entries …\n`);
    return measure(size);
  });
  print(measured);
  const judged = measured.find(({ size }) => size === TARGET.size);
  if (judged === undefined) return 0;
  const p95 = percentile(judged.hybrid, 0.95);
  const holds = p95 < TARGET.p95;
  console.log(
    `\nTarget: p95 under ${TARGET.p95} ms at ${TARGET.size.toLocaleString("en-US")} entries: ${p95.toFixed(1)}, ${holds ? "holds" : "missed"}.`,
  );
  return holds ? 0 : 1;
}

function measure(size: number): Measured {
  const draw = generator(3);
  const centers = Array.from({ length: 300 }, () => makeVector(draw, DIMENSIONS, []));
  const made = makeEntries(1);
  const searchables = Array.from({ length: size }, () => made.next().value);
  const entries = searchables.map((searchable): SearchEntry => {
    const vector = packVector(makeVector(draw, DIMENSIONS, centers));
    return { id: searchable.id, entry: packEntry(searchable), embedder: EMBEDDER, vector };
  });
  const bytes = entries.reduce((sum, { entry }) => sum + entry.length, 0) / size;
  const held = bytesHeld();
  const index = new SearchIndex();
  const [loadMs] = time(() => {
    for (const entry of entries) index.put(entry, EMBEDDER);
  });
  const heldBytes = (bytesHeld() - held) / size;
  const questions = makeQuestions(2, QUESTIONS).map((text) => ({
    text,
    now: Date.UTC(2026, 0, 1),
    vector: makeVector(draw, DIMENSIONS, centers),
  }));
  const [firstMs] = time(() => searchIndexes([index], { text: "bax", now: 0 }, CANDIDATES));
  const ask = (question: Question): number => middle(() => searchIndexes([index], question, CANDIDATES));
  for (const question of questions.slice(0, 10)) ask(question);
  return {
    size,
    bytes,
    loadMs,
    heldBytes,
    firstMs,
    words: questions.map(({ text, now }) => ask({ text, now })),
    hybrid: questions.map(ask),
    fts5: measureFts5(
      searchables,
      questions.map(({ text }) => text),
    ),
    exact: exactShare(index, questions),
  };
}

/** Share of the ten best documents, with all scored in full, that the search returns. */
function exactShare(index: SearchIndex, questions: readonly Question[]): number {
  const shares = questions.slice(0, COMPARED).map((question) => {
    const ids = (effort?: typeof EXHAUSTIVE): readonly string[] =>
      searchIndexes([index], question, CANDIDATES, effort)
        .candidates.slice(0, 10)
        .map(({ id }) => id);
    const found = new Set(ids());
    const exact = ids(EXHAUSTIVE);
    return exact.filter((id) => found.has(id)).length / exact.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function measureFts5(searchables: readonly Searchable[], questions: readonly string[]): number[] {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE t USING fts5(own, previous, next, around, content = '', tokenize = 'porter unicode61'); BEGIN",
  );
  const insert = database.prepare("INSERT INTO t (own, previous, next, around) VALUES (?, ?, ?, ?)");
  const text = (at: number): string => searchables[at]?.text ?? "";
  searchables.forEach((_, at) => {
    const around = [-4, -3, -2, 2, 3, 4].map((distance) => text(at + distance)).join(" ");
    insert.run(text(at), text(at - 1), text(at + 1), around);
  });
  database.exec("COMMIT");
  const select = database.prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 1, 0.5, 0.35, 0.15) LIMIT ?");
  const times = questions.map((question) => {
    const match = (question.match(/\w+/g) ?? []).map((word) => `"${word}"`).join(" OR ");
    return middle(() => select.all(match, CANDIDATES));
  });
  database.close();
  return times;
}

/** Milliseconds of CPU time, independent of other processes. */
function time<T>(work: () => T): readonly [number, T] {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return [(user + system) / 1_000, result];
}

function middle(work: () => unknown): number {
  return percentile(
    Array.from({ length: REPEATED }, () => time(work)[0]),
    0.5,
  );
}

function print(measured: readonly Measured[]): void {
  printTable(
    [
      "entries",
      "bytes packed",
      "bytes held",
      "load ms",
      "first question ms",
      "words p50/p95 ms",
      "hybrid p50/p95 ms",
      "FTS5 p50/p95 ms",
      "exact top ten",
    ],
    measured.map((one): Cell[] => [
      one.size,
      Math.round(one.bytes),
      Math.round(one.heldBytes),
      one.loadMs.toFixed(0),
      one.firstMs.toFixed(0),
      bothPercentiles(one.words),
      bothPercentiles(one.hybrid),
      bothPercentiles(one.fts5),
      `${(100 * one.exact).toFixed(1)}%`,
    ]),
  );
  console.log("\nCPU time. Growth of the median per factor of ten in entries (hybrid, FTS5):");
  measured.slice(1).forEach((one, at) => {
    const before = measured[at] as Measured;
    const factor = (of: (each: Measured) => readonly number[]): string =>
      `${(percentile(of(one), 0.5) / percentile(of(before), 0.5)).toFixed(1)}×`;
    console.log(
      `  ${before.size.toLocaleString("en-US")} → ${one.size.toLocaleString("en-US")}: ${factor((each) => each.hybrid)}, ${factor((each) => each.fts5)}`,
    );
  });
  console.log(
    `Held: ${measured.map(({ heldBytes, size }) => `${((heldBytes * size) / MEGABYTE).toFixed(0)} MB`).join(", ")}; without the vectors' rows ${DIMENSIONS} bytes less each.`,
  );
}
