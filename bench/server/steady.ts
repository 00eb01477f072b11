import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createThroughline, wordEmbedder } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { fillStore } from "../memory/fill-store.ts";
import { percentile } from "../memory/percentile.ts";
import { makeEntries, makeQuestions } from "../memory/recall/generated-turns.ts";
import { printTable } from "../print-table.ts";
import { atMost, printTargets } from "../target.ts";
import { askHealth } from "./ask-health.ts";
import type { SteadyTask } from "./steady-server.ts";

const USAGE = "Usage: npm run bench -- server steady [--memories 100000] [--seconds 600] [--rate 40]\n";
const JSON_TYPE = { "content-type": "application/json" };
/** Messages after which a client begins a new session. */
const SESSION_LENGTH = 60;
/** Share of the requests of `mixedRequests` that append a message. */
const MESSAGES_PER_REQUEST = 2 / 5;
/**
 * Largest growth of the RSS: the mean of the last third of the time against that of the first one. A garbage-collected
 * process goes up and down between the thirds; a leak shows as growth from the first to the last.
 */
const MAX_GROWTH = 1.05;
/** Seconds of load before anything is measured: code is compiled, and the heap grows to its usual size. */
const WARM_UP = 60;
/** Milliseconds of `/healthz`, p99. */
const MAX_HEALTH = 100;

/**
 * Loads a server with appends, prepares, recalls and new memories at a fixed rate, and prints its memory over time and
 * the p99 of `/healthz` meanwhile.
 */
export async function runSteady(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...args], options: { memories: text, seconds: text, rate: text } });
  const [size, seconds, rate] = [values.memories ?? 100_000, values.seconds ?? 600, values.rate ?? 40].map(Number) as [
    number,
    number,
    number,
  ];
  if (![size, seconds, rate].every((value) => Number.isInteger(value) && value > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  try {
    const file = path.join(folder, "memory.db");
    process.stderr.write(`A file with ${size} memories and utterances …\n`);
    await fill(file, size);
    return print(await measure({ file }, seconds, rate)) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fills a file as a server does that has run for long: with a stored search index. */
async function fill(file: string, size: number): Promise<void> {
  await fillStore(file, size, wordEmbedder());
  const throughline = await createThroughline({ store: sqliteStore(file) });
  await throughline.memory.recall("first");
  await throughline.close();
}

interface Measured {
  readonly failed: number;
  /** Milliseconds of each request, from the time at which it was due. */
  readonly taken: readonly number[];
  /** Milliseconds of each request to `/healthz`. */
  readonly health: readonly number[];
  /** Bytes, once a second. */
  readonly rss: readonly number[];
}

async function measure(task: SteadyTask, seconds: number, rate: number): Promise<Measured> {
  const child = fork(path.join(import.meta.dirname, "steady-server.ts"), { execArgv: process.execArgv });
  try {
    child.send(task);
    const [{ url }] = (await once(child, "message")) as [{ url: string }];
    const requests = mixedRequests();
    await createSessions(url, Math.ceil(((WARM_UP + seconds) * rate * MESSAGES_PER_REQUEST) / SESSION_LENGTH) + 1);
    process.stderr.write(`${WARM_UP} + ${seconds} seconds with ${rate} requests per second …\n`);
    await sendEvenly(url, requests, { rate, seconds: WARM_UP });
    const load = sendEvenly(url, requests, { rate, seconds });
    const [sent, health, rss] = await Promise.all([load, askHealth(url, load), sampleMemory(child, seconds)]);
    return { ...sent, health, rss };
  } finally {
    child.kill();
  }
}

interface Request {
  readonly path: string;
  readonly body: object;
}

/** Sends requests at even intervals, also while earlier ones are not answered. */
async function sendEvenly(
  url: string,
  next: () => Request,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Pick<Measured, "failed" | "taken">> {
  const start = performance.now();
  const taken: number[] = [];
  let failed = 0;
  const send = async (due: number) => {
    const { path: to, body } = next();
    try {
      const response = await fetch(url + to, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) });
      await response.arrayBuffer();
      if (!response.ok) failed += 1;
    } catch {
      failed += 1;
    }
    taken.push(performance.now() - due);
  };
  const sent: Promise<void>[] = [];
  for (let at = 0; at < rate * seconds; at += 1) {
    const due = start + (1_000 * at) / rate;
    const early = due - performance.now();
    if (early > 0) await setTimeout(early);
    sent.push(send(due));
  }
  await Promise.all(sent);
  return { failed, taken };
}

async function createSessions(url: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const body = JSON.stringify({ id: sessionId(at), model_id: "gpt-4o" });
    const response = await fetch(`${url}/sessions`, { method: "POST", headers: JSON_TYPE, body });
    if (!response.ok) throw new Error(`POST /sessions failed: ${response.status} ${await response.text()}`);
  }
}

function sessionId(at: number): string {
  return `steady-${at}`;
}

async function sampleMemory(child: ChildProcess, seconds: number): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    await setTimeout(1_000);
    child.send("rss");
    const [{ rss }] = (await once(child, "message")) as [{ rss: number }];
    samples.push(rss);
  }
  return samples;
}

/** One of each kind in turn: two messages of a session, its window, a question and a new memory. */
function mixedRequests(): () => Request {
  const [made, questions] = [makeEntries(7), makeQuestions(3, 500)];
  let messages = 0;
  let sent = 0;
  const session = () => `/sessions/${sessionId(Math.floor(messages / SESSION_LENGTH))}`;
  const message = (role: string): Request => {
    messages += 1;
    return { path: `${session()}/messages`, body: { messages: [{ role, content: made.next().value.text }] } };
  };
  const kinds: readonly (() => Request)[] = [
    () => message("user"),
    () => ({ path: "/memories/search", body: { query: questions[messages % questions.length] } }),
    () => ({ path: `${session()}/prepare`, body: { system: "Be brief." } }),
    () => message("assistant"),
    () => ({ path: "/memories", body: { text: made.next().value.text } }),
  ];
  return () => {
    const kind = kinds[sent % kinds.length] as () => Request;
    sent += 1;
    return kind();
  };
}

function print({ failed, taken, health, rss }: Measured): boolean {
  const third = Math.floor(rss.length / 3);
  const mean = (from: number): number => {
    const part = rss.slice(from, from + third);
    return part.reduce((sum, one) => sum + one, 0) / part.length;
  };
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const thirds = [0, third, 2 * third].map(mean) as [number, number, number];
  printTable(
    ["requests", "failed", "p50/p99/max ms", "/healthz p50/p99 ms", "RSS MB, by third", "maximum"],
    [
      [
        taken.length,
        failed,
        [0.5, 0.99, 1].map((share) => Math.round(percentile(taken, share))).join(" / "),
        [0.5, 0.99].map((share) => percentile(health, share).toFixed(1)).join(" / "),
        thirds.map(megabytes).join(", "),
        megabytes(rss.reduce((most, one) => Math.max(most, one), 0)),
      ],
    ],
  );
  const slowest = percentile(health, 0.99);
  return printTargets([
    atMost("RSS in the last third of the load against the first", thirds[2] / thirds[0], MAX_GROWTH),
    {
      name: "/healthz p99 during the load",
      measured: `${slowest.toFixed(1)} ms`,
      limit: `at most ${MAX_HEALTH} ms`,
      holds: slowest <= MAX_HEALTH,
    },
    { name: "failed requests during the load", measured: String(failed), limit: "none", holds: failed === 0 },
  ]);
}
