import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { percentile } from "../memory/percentile.ts";
import { makeQuestions } from "../memory/recall/generated-turns.ts";
import { printTable } from "../print-table.ts";
import { askHealth } from "./ask-health.ts";
import type { ServerTask } from "./serve.ts";
import { runSteady } from "./steady.ts";
import { runTurns } from "./turns.ts";

const USAGE = "Usage: npm run bench -- server [turns | steady] [--memories 100000] [--connections 64] [--seconds 60]\n";
const SESSIONS = 200;

interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Loads a server in its own process from many connections: appends, windows and searches in turn. For comparison, the
 * same load on a route that only reads a body and answers, which is the cost of HTTP alone.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (args[0] === "turns") return runTurns(args.slice(1));
  if (args[0] === "steady") return runSteady(args.slice(1));
  const options = {
    memories: { type: "string" },
    connections: { type: "string" },
    seconds: { type: "string" },
  } as const;
  const { values } = parseArgs({ args: [...args], options: { ...options, data: { type: "string" } } });
  const [memories, connections, seconds] = [
    values.memories ?? 100_000,
    values.connections ?? 64,
    values.seconds ?? 60,
  ].map(Number);
  if (![memories, connections, seconds].every((value) => Number.isInteger(value) && Number(value) > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  try {
    process.stderr.write(`A server with ${memories} memories and turns …\n`);
    const task: ServerTask = { file: path.join(folder, "memory.db"), size: memories ?? 0, sessions: SESSIONS };
    const results = await measureAll(task, { connections: connections ?? 1, seconds: seconds ?? 1 });
    print(results);
    return results.some(({ errors, failed }) => errors + failed > 0) ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Result {
  readonly name: string;
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** p99 of `/healthz` in milliseconds, asked during the load. */
  readonly healthP99: number;
  readonly errors: number;
  readonly failed: number;
}

const QUESTION = JSON.stringify({ query: "Where did Ann go last summer?" });

async function measureAll(task: ServerTask, load: Omit<Load, "url">): Promise<readonly Result[]> {
  const child = fork(path.join(import.meta.dirname, "serve.ts"), { execArgv: process.execArgv });
  child.send(task);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  const results: Result[] = [];
  for (const [name, requests] of Object.entries(kinds())) {
    process.stderr.write(`${name} …\n`);
    results.push(await measure(name, { url, ...load }, requests));
  }
  child.send("stop");
  await once(child, "exit");
  process.stderr.write("a bare route …\n");
  const bare = await startBare();
  results.push(
    await measure("a bare route", { url: bare.url, ...load }, [{ method: "POST", path: "/", body: QUESTION }]),
  );
  await bare.stop();
  return results;
}

const HEADERS = { "content-type": "application/json" };

/** The request kinds: all in turn, and each by itself. */
function kinds(): Readonly<Record<string, autocannon.Request[]>> {
  const questions = makeQuestions(3, 50);
  let next = 0;
  const count = (): number => {
    next += 1;
    return next;
  };
  const session = () => `/sessions/bench-${count() % SESSIONS}`;
  const append: autocannon.Request = {
    method: "POST",
    headers: HEADERS,
    setupRequest: (request) => ({
      ...request,
      path: `${session()}/messages`,
      body: JSON.stringify({
        messages: [{ role: "user", content: `Message ${next}: look at src/part${next % 40}.ts once more.` }],
      }),
    }),
  };
  const prepare: autocannon.Request = {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify({ system: "Be brief." }),
    setupRequest: (request) => ({ ...request, path: `${session()}/prepare` }),
  };
  const recall: autocannon.Request = {
    method: "POST",
    path: "/memories/search",
    headers: HEADERS,
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify({ query: questions[count() % questions.length] }),
    }),
  };
  return {
    "append, prepare, recall in turn": [append, prepare, recall],
    append: [append],
    prepare: [prepare],
    recall: [recall],
  };
}

async function measure(
  name: string,
  { url, connections, seconds }: Load,
  requests: autocannon.Request[],
): Promise<Result> {
  const load = autocannon({ url, connections, duration: seconds, requests, timeout: 60 });
  const [done, health] = await Promise.all([load, askHealth(url, load)]);
  return {
    name,
    requests: done.requests.total,
    perSecond: Math.round(done.requests.average),
    p50: done.latency.p50,
    p99: done.latency.p99,
    healthP99: Math.round(percentile(health, 0.99)),
    errors: done.errors + done.timeouts,
    failed: done.non2xx,
  };
}

/** Node's own server with Hono and a single route. */
async function startBare(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { Hono } = await import("hono");
  const { getRequestListener } = await import("@hono/node-server");
  const app = new Hono().post("/", async (c) => c.json(await c.req.json()));
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

function print(results: readonly Result[]): void {
  printTable(
    ["load", "requests", "per second", "p50 ms", "p99 ms", "/healthz p99 ms", "errors", "not 2xx"],
    results.map(({ name, requests, perSecond, p50, p99, healthP99, errors, failed }) => [
      name,
      requests,
      perSecond,
      p50,
      p99,
      healthP99,
      errors,
      failed,
    ]),
  );
}
