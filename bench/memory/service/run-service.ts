import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createThroughline } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { type Cell, printTable } from "../../print-table.ts";
import { time, times } from "../../times.ts";
import { bytesHeld } from "../bytes-held.ts";
import { fillMemory } from "../fill-memory.ts";
import { bothPercentiles, percentile } from "../percentile.ts";
import { makeEntries, makeQuestions } from "../recall/generated-turns.ts";

const USAGE = "Usage: npm run bench -- memory service [--sizes 1000,10000,100000]\n";
const SIZES = "1000,10000,100000";
const ASKED = 100;
const MEGABYTE = 1024 * 1024;
/** Milliseconds: a write at any size, a question at this many entries. */
const TARGET = { size: 100_000, recall: 50, remember: 20 };

interface Measured {
  readonly size: number;
  readonly fillMs: number;
  readonly remember: readonly number[];
  readonly recall: readonly number[];
  readonly filtered: readonly number[];
  /** The first question of a new process. */
  readonly coldMs: number;
  readonly fileBytes: number;
  readonly memoryBytes: number;
}

/** Measures the whole path over a SQLite file: embedding, search, documents, ranking, cut-off, usage counts. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { sizes: { type: "string" }, data: { type: "string" } } });
  const sizes = (values.sizes ?? SIZES).split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const measured: Measured[] = [];
  for (const size of sizes) {
    process.stderr.write(`${size.toLocaleString("en-US")} memories and turns …\n`);
    const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
    try {
      measured.push(await measure(path.join(folder, "memory.db"), size));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  print(measured);
  return judge(measured) ? 0 : 1;
}

async function measure(file: string, size: number): Promise<Measured> {
  const before = bytesHeld();
  const throughline = await createThroughline({ store: sqliteStore(file), userId: "ada", projectId: "shop" });
  const { memory } = throughline;
  const [fillMs] = await time(() => fillMemory(memory, size));
  const questions = makeQuestions(2, ASKED);
  for (const question of questions.slice(0, 10)) await memory.recall(question);
  const recall = await times(questions, (question) => memory.recall(question));
  const filtered = await times(questions, (question) => memory.recall(question, { kinds: ["fact"], from: "memories" }));
  const fresh = makeEntries(7);
  const facts = Array.from({ length: ASKED }, () => fresh.next().value.text);
  const remember = await times(facts, (text) => memory.remember({ text }));
  const memoryBytes = bytesHeld() - before;
  await throughline.close();
  const later = await createThroughline({ store: sqliteStore(file), userId: "ada", projectId: "shop" });
  const [coldMs] = await time(() => later.memory.recall(questions[0] ?? ""));
  await later.close();
  return { size, fillMs, remember, recall, filtered, coldMs, fileBytes: (await stat(file)).size, memoryBytes };
}

function print(measured: readonly Measured[]): void {
  printTable(
    [
      "memories and turns",
      "remember p50/p95 ms",
      "recall p50/p95 ms",
      "facts only p50/p95 ms",
      "first of a process ms",
      "filled in s",
      "file MB",
      "memory MB",
    ],
    measured.map((one): Cell[] => [
      one.size,
      bothPercentiles(one.remember),
      bothPercentiles(one.recall),
      bothPercentiles(one.filtered),
      one.coldMs.toFixed(0),
      (one.fillMs / 1_000).toFixed(1),
      (one.fileBytes / MEGABYTE).toFixed(1),
      (one.memoryBytes / MEGABYTE).toFixed(1),
    ]),
  );
  measured.slice(1).forEach((one, at) => {
    const before = measured[at] as Measured;
    const factor = (of: (each: Measured) => readonly number[]): string =>
      `×${(percentile(of(one), 0.5) / percentile(of(before), 0.5)).toFixed(1)}`;
    console.log(
      `${before.size.toLocaleString("en-US")} → ${one.size.toLocaleString("en-US")}: recall ${factor((each) => each.recall)}, remember ${factor((each) => each.remember)}`,
    );
  });
}

function judge(measured: readonly Measured[]): boolean {
  const largest = measured.find(({ size }) => size === TARGET.size);
  const slowest = Math.max(...measured.map(({ remember }) => percentile(remember, 0.95)));
  const recall = largest === undefined ? 0 : percentile(largest.recall, 0.95);
  const isReached = slowest < TARGET.remember && recall < TARGET.recall;
  console.log(
    `Targets (remember p95 < ${TARGET.remember} ms, recall p95 < ${TARGET.recall} ms at ${TARGET.size.toLocaleString("en-US")}): ${isReached ? "reached" : "missed"}. Other work on the machine counts.`,
  );
  return isReached;
}
