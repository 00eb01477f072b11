import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createThroughline, type Embedder } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { hashText } from "../../../packages/throughline/src/language/terms.ts";
import { packVector } from "../../../packages/throughline/src/memory/recall/packed-vector.ts";
import { packEntry } from "../../../packages/throughline/src/memory/recall/search-entry.ts";
import { percentile } from "../percentile.ts";
import { generator, makeEntries, makeQuestions, makeVector } from "../recall/generated-turns.ts";
import { cpuTimeAsync } from "./cpu-time.ts";

const SPACE = "user:local";
const BATCH = 2_000;
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
    await fill(file, size);
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
  const blobs = await store.blobs.get(SPACE, await store.blobs.list(SPACE));
  await store.close();
  return blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Writes turns and their entries directly, because saving one by one takes minutes. */
async function fill(file: string, size: number): Promise<void> {
  const store = sqliteStore(file);
  const made = makeEntries(1);
  for (let revision = 0; revision * BATCH < size; revision += 1) {
    const length = Math.min(BATCH, size - revision * BATCH);
    const said = Array.from({ length }, (_, at) => {
      const place = revision * BATCH + at;
      const { text, at: time = 0 } = made.next().value;
      return { id: `t${place}`, sessionId: `s${Math.floor(place / 40)}`, position: place % 40, text, at: time };
    });
    const vectors = await embedder.embed(said.map(({ text }) => text));
    await store.memories.commit(SPACE, {
      revision,
      turns: said.map((turn) => ({ ...turn, role: "user", createdAt: turn.at, owner: "local" })),
      entries: said.map((turn, at) => ({
        id: turn.id,
        entry: packEntry({ ...turn, type: "turn", role: "user" }),
        embedder: embedder.name,
        vector: packVector(vectors[at] ?? new Float32Array()),
      })),
    });
  }
  await store.close();
}
