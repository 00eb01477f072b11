import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { MemoryIndexes } from "../../../packages/throughline/src/context/memory-index.ts";
import { Predictor } from "../../../packages/throughline/src/context/predict/predictor.ts";
import { QUIET } from "../../../packages/throughline/src/ports/logger.ts";
import type { Commit, Workspace } from "../../../packages/throughline/src/ports/workspace.ts";
import { sqliteStore } from "../../../packages/throughline/src/store/sqlite/sqlite.ts";
import { createThroughline } from "../../../packages/throughline/src/throughline.ts";
import { bothPercentiles } from "../../memory/percentile.ts";
import { type Cell, printTable } from "../../print-table.ts";
import { type Repository, readRepositories } from "./commits.ts";

const SIZES = [500, 1_500, 5_000];
const ASKED = 200;
const NOW = Date.UTC(2026, 0, 15);
const WHO = { userId: "ada", projectId: "shop" };

/** Measures the time of a prediction over a SQLite file, by length of the history. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(
      "Usage: npm run bench -- context predict-latency --data FOLDER (files *.jsonl: { f: [paths] } per commit)\n",
    );
    return 2;
  }
  const repositories = await readRepositories(values.data);
  const [largest] = repositories.toSorted((a, b) => b.commits.length - a.commits.length);
  if (largest === undefined) return 2;
  const rows: Cell[][] = [];
  for (const size of SIZES) {
    const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
    try {
      rows.push(await measure(largest, size, path.join(folder, "memory.db")));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  console.log(`${largest.name}, by number of newest commits; milliseconds, p50 / p95 of ${ASKED}\n`);
  printTable(
    ["commits", "files", "document kB", "learn", "first predict", "predict", "observe", "predict after it"],
    rows,
  );
  return 0;
}

async function measure({ commits }: Repository, size: number, file: string): Promise<Cell[]> {
  const store = sqliteStore(file);
  const clock = { now: () => NOW };
  const { memory } = await createThroughline({ userId: WHO.userId, projectId: WHO.projectId, store, clock });
  const open = () =>
    new Predictor({
      ...WHO,
      documents: store.documents,
      memory,
      memoryIndexes: new MemoryIndexes({ memoryStore: store.memories, blobs: store.blobs, logger: QUIET }, WHO),
      workspace: historyOf(commits.slice(-size)),
      clock,
      logger: { info: () => undefined, warn: () => undefined },
    });
  const [learn] = await times([0], () => open().learnHistory());
  const predictor = open();
  const paths = [...new Set(commits.slice(-size).flat())];
  const asked = Array.from({ length: ASKED }, (_, at) => paths[Math.floor((at * paths.length) / ASKED)] ?? "");
  const [first] = await times(asked.slice(0, 1), (fileOpened) => predictor.predict({ fileOpened }));
  const predict = await times(asked, (fileOpened) => predictor.predict({ fileOpened }));
  const sessionOf = (fileOpened: string) => `s${asked.indexOf(fileOpened) % 20}`;
  const observe = await times(asked, (fileOpened) =>
    predictor.observe({ sessionId: sessionOf(fileOpened), fileOpened }),
  );
  const after = await times(asked, (fileOpened) => predictor.predict({ sessionId: sessionOf(fileOpened), fileOpened }));
  const document = await store.documents.get(`project:${WHO.projectId}`, "predict/history");
  await store.close();
  const kilobytes = Math.round(JSON.stringify(document?.value).length / 1_000);
  const [once, built] = [learn, first].map((ms) => (ms ?? 0).toFixed(0));
  return [size, paths.length, kilobytes, once ?? "", built ?? "", ...[predict, observe, after].map(bothPercentiles)];
}

async function times<T>(inputs: readonly T[], work: (input: T) => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const input of inputs) {
    const start = performance.now();
    await work(input);
    taken.push(performance.now() - start);
  }
  return taken;
}

/** A project that has only a history. */
function historyOf(commits: readonly (readonly string[])[]): Workspace {
  return {
    async *history() {
      for (const [at, files] of commits.entries()) yield commitOf(at, files);
    },
    branch: async () => undefined,
    async *sources() {
      yield* [];
    },
    parse: async () => undefined,
    importsOf: async () => [],
    digest: async (file) => file,
  };
}

function commitOf(at: number, files: readonly string[]): Commit {
  const id = (at + 1).toString(16).padStart(12, "0").padEnd(40, "0");
  return { id, at: NOW - 1e10 + at * 1_000, author: "", subject: "", body: "", files, renames: [] };
}
