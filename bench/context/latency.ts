import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type ContextService, createThroughline, type Memory, type Throughline } from "throughline";
import type { MemoryExport } from "throughline/memory";
import { sqliteStore } from "throughline/sqlite";
import { bytesHeld } from "../memory/bytes-held.ts";
import { bothPercentiles, percentile } from "../memory/percentile.ts";
import { type Cell, printTable } from "../print-table.ts";
import { time, times } from "../times.ts";
import { makeProject } from "./make-memories.ts";

const USAGE = "Usage: npm run bench -- context latency [--sizes 1000,10000,100000]\n";
const SIZES = "1000,10000,100000";
const ASKED = 100;
const MEGABYTE = 1024 * 1024;
/** Memories per import. */
const CHUNK = 2_000;
const NOW = Date.UTC(2026, 0, 15);
const WHO = { userId: "ada", projectId: "shop" };
/** Milliseconds at any size, and after a prefetch. */
const TARGET = { assemble: 50, prefetched: 10 };
const ACTIVITIES = ["default", "new-feature", "debugging"];
const ERROR = "TypeError: token of session is undefined\n    at load (/srv/src/module3/part7.ts:3:9)";

interface Measured {
  readonly size: number;
  /** The first assembly of a new process. */
  readonly coldMs: number;
  /** By file, error and activity, each for the first time. */
  readonly assemble: readonly number[];
  /** Prediction after a file was opened. */
  readonly predict: readonly number[];
  /** With a question. */
  readonly asked: readonly number[];
  /** Directly after a signal. */
  readonly prefetched: readonly number[];
  /** Directly after a write. */
  readonly written: readonly number[];
  readonly tokens: number;
  readonly memoryBytes: number;
}

/** Measures the time to assemble a context of 8,000 tokens over a SQLite file, by number of memories. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { sizes: { type: "string" }, data: { type: "string" } } });
  const sizes = (values.sizes ?? SIZES).split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const measured: Measured[] = [];
  for (const size of sizes) {
    process.stderr.write(`${size.toLocaleString("en-US")} memories …\n`);
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
  const { memories, files } = makeProject(size, NOW);
  const clock = { now: () => NOW };
  const first = await createThroughline({ ...WHO, clock, store: sqliteStore(file) });
  await fill(first, memories);
  await first.close();
  const before = bytesHeld();
  const throughline = await createThroughline({ ...WHO, clock, store: sqliteStore(file) });
  const { context, memory } = throughline;
  const [coldMs] = await time(() => context.assemble());
  const scenes = Array.from({ length: ASKED }, (_, at) => sceneAt(files, at));
  const assemble = await times(scenes, (scene) => context.assemble({ signals: scene.signals }));
  const predict = await times(files.slice(0, ASKED), (fileOpened) => context.predict({ fileOpened }));
  const asked = await times(scenes, (scene) => context.assemble(scene));
  const prefetched = await timesPrefetched(context, files);
  const written = await times(
    scenes.slice(0, 40),
    async (scene) => context.assemble({ signals: scene.signals }),
    (_, at) => memory.remember({ text: `The ${at}th thing is kept in file${at}.ts`, scope: "project-shared" }),
  );
  const { tokenCount } = await context.assemble(sceneAt(files, 0));
  const memoryBytes = bytesHeld() - before;
  await throughline.close();
  return { size, coldMs, assemble, predict, asked, prefetched, written, tokens: tokenCount, memoryBytes };
}

function sceneAt(files: readonly string[], at: number) {
  const currentFile = files[at] ?? "";
  const activity = ACTIVITIES[at % ACTIVITIES.length] ?? "default";
  const signals = { currentFile, activity, ...(at % 3 === 2 && { recentErrors: [ERROR] }) };
  return { signals, message: `Why does the session drop the token of invoice ${at} in ${currentFile}?` };
}

async function fill({ memory }: Throughline, memories: readonly Memory[]): Promise<void> {
  for (let at = 0; at < memories.length; at += CHUNK) {
    const some: MemoryExport = {
      format: "throughline-memory",
      version: 1,
      exportedAt: NOW,
      owner: WHO.userId,
      projectId: WHO.projectId,
      memories: memories.slice(at, at + CHUNK),
      turns: [],
      contradictions: [],
    };
    await memory.import(some);
  }
}

/** Sends a signal, then times only the assembly that it prefetched. */
async function timesPrefetched(context: ContextService, files: readonly string[]): Promise<readonly number[]> {
  return times(
    files.slice(ASKED, 2 * ASKED),
    (fileOpened) => context.assemble({ signals: { currentFile: fileOpened } }),
    (fileOpened) => context.observe({ fileOpened, sessionId: "now" }, { prefetch: true }),
  );
}

function print(measured: readonly Measured[]): void {
  printTable(
    [
      "memories",
      "assemble p50/p95 ms",
      "with a question",
      "predict",
      "after a prefetch",
      "after a write",
      "first of a process ms",
      "tokens",
      "memory MB",
    ],
    measured.map((one): Cell[] => [
      one.size,
      bothPercentiles(one.assemble),
      bothPercentiles(one.asked),
      bothPercentiles(one.predict),
      bothPercentiles(one.prefetched),
      bothPercentiles(one.written),
      one.coldMs.toFixed(0),
      one.tokens,
      (one.memoryBytes / MEGABYTE).toFixed(1),
    ]),
  );
  measured.slice(1).forEach((one, at) => {
    const before = measured[at] as Measured;
    const factor = (of: (each: Measured) => readonly number[]): string =>
      `×${(percentile(of(one), 0.5) / percentile(of(before), 0.5)).toFixed(1)}`;
    console.log(
      `${before.size.toLocaleString("en-US")} → ${one.size.toLocaleString("en-US")}: assemble ${factor((each) => each.assemble)}, predict ${factor((each) => each.predict)}, with a question ${factor((each) => each.asked)}, after a prefetch ${factor((each) => each.prefetched)}`,
    );
  });
}

function judge(measured: readonly Measured[]): boolean {
  const slowest = (of: (one: Measured) => readonly number[]): number =>
    Math.max(...measured.map((one) => percentile(of(one), 0.95)));
  const isReached =
    slowest(({ assemble }) => assemble) < TARGET.assemble &&
    slowest(({ asked }) => asked) < TARGET.assemble &&
    slowest(({ predict }) => predict) < TARGET.assemble &&
    slowest(({ prefetched }) => prefetched) < TARGET.prefetched;
  console.log(
    `Targets (p95 < ${TARGET.assemble} ms, < ${TARGET.prefetched} ms after a prefetch): ${isReached ? "reached" : "missed"}. Other work on the machine counts.`,
  );
  return isReached;
}
