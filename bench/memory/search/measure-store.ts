import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createThroughline, type Embedder } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { hashText } from "../../../packages/throughline/src/language/terms.ts";
import { fillStore, LOCAL_SPACE } from "../fill-store.ts";
import { percentile } from "../percentile.ts";
import { generator, makeEntries, makeQuestions, makeVector } from "../recall/generated-turns.ts";
import { cpuTimeAsync } from "./cpu-time.ts";

const REMEMBERED = 60;
const WARM_UP = 20;
const OPENED = 3;

/** Vectors that depend on nothing but the text. */
const embedder: Embedder = {
  name: "made",
  dimensions: 100,
  embed: async (texts) => texts.map((text) => makeVector(generator(hashText(text)), 100, [])),
};

export interface MeasuredStore {
  readonly size: number;
  /** Milliseconds of CPU time: the first recall of a process, and reading the bytes of its segments. */
  readonly coldMs: number;
  readonly readMs: number;
  readonly segmentBytes: number;
  /** Median milliseconds of CPU time. */
  readonly rememberMs: number;
}

/** Measures a SQLite file with made turns: the first recall of a process, and writes. */
export async function measureStore(size: number): Promise<MeasuredStore> {
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  const file = path.join(folder, "memory.db");
  try {
    await fillStore(file, size, embedder);
    const open = () => createThroughline({ store: sqliteStore(file), embedder });
    const [question = ""] = makeQuestions(2, 1);
    const first = await open();
    // Builds the segments.
    await first.memory.recall(question);
    await first.close();
    const [readMs, segmentBytes] = await least(() => readSegments(file));
    const [coldMs] = await least(async () => {
      const throughline = await open();
      await throughline.memory.recall(question);
      return () => throughline.close();
    });
    const throughline = await open();
    const made = makeEntries(7);
    const taken: number[] = [];
    for (let at = 0; at < WARM_UP + REMEMBERED; at += 1) {
      const { text } = made.next().value;
      taken.push((await cpuTimeAsync(() => throughline.memory.remember({ text })))[0]);
    }
    await throughline.close();
    return { size, coldMs, readMs, segmentBytes, rememberMs: percentile(taken.slice(WARM_UP), 0.5) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs work several times. The fewest milliseconds, and a result. A result that is a function is called afterwards. */
async function least<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const runs: (readonly [number, T])[] = [];
  for (let run = 0; run < OPENED; run += 1) {
    const [taken, result] = await cpuTimeAsync(work);
    if (typeof result === "function") await result();
    runs.push([taken, result]);
  }
  return runs.toSorted(([a], [b]) => a - b)[0] as readonly [number, T];
}

async function readSegments(file: string): Promise<number> {
  const store = sqliteStore(file);
  const blobs = await store.blobs.get(LOCAL_SPACE, await store.blobs.list(LOCAL_SPACE));
  await store.close();
  return blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
