import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import process from "node:process";
import autocannon from "autocannon";
import { query } from "../../packages/throughline/test/postgres-server.ts";
import { percentile } from "../memory/percentile.ts";
import { makeQuestions } from "../memory/recall/generated-turns.ts";
import { time } from "../times.ts";
import type { ScaleTask, ServerUsage } from "./serve.ts";

const CONNECTIONS = 32;
const PATH = "/memories/search";
/** Recalls of each warm user until the code of the server is compiled and their indexes are in memory. */
const WARM_UP = 5;
/** The loads take turns, because others use the machine too. */
const ROUNDS = 3;

export interface LoadOptions {
  readonly url: string;
  readonly secrets: readonly string[];
  /** Users of the warm measurement. */
  readonly warm: number;
  readonly seconds: number;
}

/** Recalls of one kind. */
export interface MeasuredRecalls {
  readonly recalls: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Milliseconds of CPU time of the server per recall. */
  readonly cpuMs: number;
  /** Pages of 8 KB that the database has looked at, per recall. */
  readonly pages: number;
  readonly hitRate: number;
  readonly rssBytes: number;
  readonly indexes: number;
  readonly indexBytes: number;
}

export interface MeasuredServer {
  /** A few users, all in memory. */
  readonly warm: MeasuredRecalls;
  /** Each user once: no index is in memory. */
  readonly first: MeasuredRecalls;
  /** All users at random, after each was there once. */
  readonly random: MeasuredRecalls;
}

/** Measures recalls over HTTP on a server on PostgreSQL. */
export async function measureServer({ url, secrets, warm, seconds }: LoadOptions): Promise<MeasuredServer> {
  const few = secrets.slice(0, warm);
  return withServer({ url, connections: CONNECTIONS }, async (server) => {
    const atRandom = (list: readonly string[]) => () => list[Math.floor(Math.random() * list.length)] ?? "";
    for (let round = 0; round < WARM_UP; round += 1) await server.once(few);
    const first = await server.once(secrets.slice(warm));
    const rounds: { readonly warm: MeasuredRecalls; readonly random: MeasuredRecalls }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const warmed = await server.load(atRandom(few), seconds / ROUNDS);
      rounds.push({ warm: warmed, random: await server.load(atRandom(secrets), seconds / ROUNDS) });
    }
    // The round with the least processor time per recall: others use the machine too.
    const best = (kind: "warm" | "random"): MeasuredRecalls =>
      rounds.map((round) => round[kind]).reduce((one, other) => (other.cpuMs < one.cpuMs ? other : one));
    return { warm: best("warm"), first, random: best("random") };
  });
}

interface LoadedServer {
  /** Sends recalls for some seconds. */
  load(secret: () => string, seconds: number): Promise<MeasuredRecalls>;
  /** Sends one recall of each user. */
  once(secrets: readonly string[]): Promise<MeasuredRecalls>;
}

async function withServer<T>(task: ScaleTask, work: (server: LoadedServer) => Promise<T>): Promise<T> {
  const child = fork(path.join(import.meta.dirname, "serve.ts"), { execArgv: process.execArgv });
  child.send(task);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  try {
    return await work({
      load: (secret, seconds) => measure(child, task.url, () => load(url, secret, seconds)),
      once: (secrets) => measure(child, task.url, () => recallOnce(url, secrets)),
    });
  } finally {
    child.send("stop");
    await once(child, "exit");
  }
}

type Sent = Pick<MeasuredRecalls, "recalls" | "perSecond" | "p50" | "p99" | "failed">;

async function measure(child: ChildProcess, database: string, send: () => Promise<Sent>): Promise<MeasuredRecalls> {
  const [usageBefore, pagesBefore] = [await usageOf(child), await pagesOf(database)];
  const sent = await send();
  const [usage, pages] = [await usageOf(child), await pagesOf(database)];
  return {
    ...sent,
    cpuMs: (usage.cpuMs - usageBefore.cpuMs) / sent.recalls,
    pages: (pages - pagesBefore) / sent.recalls,
    // The index of the system's memories is always in memory.
    hitRate: 1 - (usage.cache.misses - usageBefore.cache.misses) / sent.recalls,
    rssBytes: usage.rssBytes,
    indexes: usage.cache.indexes,
    indexBytes: usage.cache.bytes,
  };
}

const QUESTIONS = makeQuestions(3, 50);

function recallOf(secret: string, n: number) {
  return {
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    body: JSON.stringify({ query: QUESTIONS[n % QUESTIONS.length] }),
  };
}

async function load(url: string, secret: () => string, seconds: number): Promise<Sent> {
  let next = 0;
  const recall: autocannon.Request = {
    method: "POST",
    path: PATH,
    setupRequest: (request) => ({ ...request, ...recallOf(secret(), next++) }),
  };
  const done = await autocannon({ url, connections: CONNECTIONS, timeout: 60, requests: [recall], duration: seconds });
  return {
    recalls: done.requests.total,
    perSecond: done.requests.total / done.duration,
    p50: done.latency.p50,
    p99: done.latency.p99,
    failed: done.errors + done.timeouts + done.non2xx,
  };
}

/** Sends an exact number of requests; autocannon sends more than its limit. */
async function recallOnce(url: string, secrets: readonly string[]): Promise<Sent> {
  const left = secrets.values();
  const taken: number[] = [];
  let failed = 0;
  const work = async () => {
    for (const secret of left) {
      const [milliseconds, { ok }] = await time(async () => {
        const response = await fetch(`${url}${PATH}`, { method: "POST", ...recallOf(secret, taken.length) });
        await response.arrayBuffer();
        return response;
      });
      taken.push(milliseconds);
      if (!ok) failed += 1;
    }
  };
  const [all] = await time(() => Promise.all(Array.from({ length: CONNECTIONS }, work)));
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(taken, share))) as [number, number];
  return { recalls: taken.length, perSecond: (1_000 * taken.length) / all, p50, p99, failed };
}

async function usageOf(child: ChildProcess): Promise<ServerUsage> {
  child.send("usage");
  const [usage] = (await once(child, "message")) as [ServerUsage];
  return usage;
}

async function pagesOf(database: string): Promise<number> {
  const [row] = await query(
    database,
    "SELECT sum(blks_hit + blks_read)::float8 AS pages FROM pg_stat_database WHERE datname = current_database()",
  );
  return Number(row?.pages);
}
