import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { printTable } from "../print-table.ts";
import { atMost, printTargets } from "../target.ts";
import type { TurnServerReady, TurnServerTask } from "./turn-server.ts";

const USAGE = "Usage: npm run bench -- server turns [--requests 200]\n";
const SESSIONS = 20;
const CONNECTIONS = 8;
const SMALL = 10;
const MEDIUM = 100;
const LARGE = 460;
/** Maximum processor time of preparing a large window against a small one. */
const MAX_GROWTH = 2;
/** Maximum processor time of an append against a bare route, an insert and a commit. */
const MAX_APPEND = 5;

/**
 * Measures the processor time of the server for a turn over HTTP, by messages in the window, and compares appending
 * with the least that a server could do. All are ratios within one run.
 */
export async function runTurns(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { requests: { type: "string", default: "200" } } });
  const requests = Number(values.requests);
  if (!Number.isInteger(requests) || requests < 1) {
    process.stderr.write(USAGE);
    return 2;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  try {
    return print(await measureAll(folder, requests)) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Microseconds of processor time per request. */
interface Times {
  readonly append: number;
  readonly prepare: ReadonlyMap<number, number>;
  readonly bare: number;
  readonly insert: number;
}

/** Rounds of the measurement. The kinds take turns, and the best round counts: others use the machine too. */
const ROUNDS = 6;

const HEADERS = { "content-type": "application/json" };

const BODY = JSON.stringify({ messages: [{ role: "user", content: "Look at src/part1.ts once more." }] });

async function measureAll(folder: string, amount: number): Promise<Times> {
  const sizes = [SMALL, MEDIUM, LARGE];
  const file = path.join(folder, "turns.db");
  const task = { kind: "throughline", file, sizes, sessions: SESSIONS } as const;
  const bareRequest: autocannon.Request = { method: "POST", path: "/", headers: HEADERS, body: BODY };
  return withServer({ kind: "bare" }, (bareServer) =>
    withServer(task, async (server) => {
      const best = new Map<string, number>();
      const note = (name: string, cpu: number) => best.set(name, Math.min(cpu, best.get(name) ?? cpu));
      for (let round = 0; round < ROUNDS; round += 1) {
        // Each window is new: an exchange is appended before it.
        for (const size of sizes) {
          note(`exchange ${size}`, await cpuOf(server, amount, [appendRequest(size)]));
          note(`turn ${size}`, await cpuOf(server, amount, [appendRequest(size), prepareRequest(size)]));
        }
        note("append", await cpuOf(server, amount, [appendRequest(SMALL, BODY)]));
        note("bare", await cpuOf(bareServer, amount, [bareRequest]));
        note("insert", await insertCpu(path.join(folder, `bare-${round}.db`), amount * 10));
      }
      const of = (name: string) => best.get(name) ?? 0;
      const prepare = new Map(sizes.map((size) => [size, of(`turn ${size}`) - of(`exchange ${size}`)]));
      return { append: of("append"), prepare, bare: of("bare"), insert: of("insert") };
    }),
  );
}

async function insertCpu(file: string, rows: number): Promise<number> {
  const child = forkServer();
  child.send({ kind: "insert", file, rows } satisfies TurnServerTask);
  const [{ cpu }] = (await once(child, "message")) as [{ cpu: number }];
  return cpu / rows;
}

const EXCHANGE = JSON.stringify({
  messages: [
    { role: "user", content: "Look at src/part1.ts once more." },
    { role: "assistant", content: "It is as it was." },
  ],
});

function prepareRequest(size: number): autocannon.Request {
  let next = 0;
  const setupRequest = (request: autocannon.Request) => {
    next += 1;
    return { ...request, path: `/sessions/${size}-${next % SESSIONS}/prepare` };
  };
  return { method: "POST", headers: HEADERS, body: JSON.stringify({ system: "Be brief." }), setupRequest };
}

function appendRequest(size: number, body = EXCHANGE): autocannon.Request {
  let next = 0;
  const setupRequest = (request: autocannon.Request) => {
    next += 1;
    return { ...request, path: `/sessions/${size}-${next % SESSIONS}/messages` };
  };
  return { method: "POST", headers: HEADERS, body, setupRequest };
}

interface MeasuredServer {
  readonly child: ChildProcess;
  readonly url: string;
}

function forkServer(): ChildProcess {
  return fork(path.join(import.meta.dirname, "turn-server.ts"), { execArgv: process.execArgv });
}

async function withServer<T>(task: TurnServerTask, work: (server: MeasuredServer) => Promise<T>): Promise<T> {
  const child = forkServer();
  try {
    child.send(task);
    const [ready] = (await once(child, "message")) as [TurnServerReady];
    if (!("url" in ready)) throw new Error("The server sent no address.");
    return await work({ child, url: ready.url });
  } finally {
    child.kill();
  }
}

/** Processor time of the server for each round of requests, in microseconds. */
async function cpuOf({ child, url }: MeasuredServer, rounds: number, requests: autocannon.Request[]): Promise<number> {
  const before = await cpuNow(child);
  const amount = rounds * requests.length;
  const done = await autocannon({ url, connections: CONNECTIONS, amount, requests, timeout: 60 });
  if (done.errors + done.timeouts + done.non2xx > 0) throw new Error(`Requests to ${url} failed.`);
  return ((await cpuNow(child)) - before) / rounds;
}

async function cpuNow(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ cpu }] = (await once(child, "message")) as [{ cpu: number }];
  return cpu;
}

function print({ append, prepare, bare, insert }: Times): boolean {
  const rows = [...prepare].map(([size, cpu]) => [`prepare, ${size} messages in the window`, cpu] as const);
  const all = [
    ...rows,
    ["append", append] as const,
    ["bare route", bare] as const,
    ["bare insert + commit", insert] as const,
  ];
  printTable(
    ["server, processor time per request", "µs"],
    all.map(([name, cpu]) => [name, Math.round(cpu)]),
  );
  const growth = (prepare.get(LARGE) ?? 0) / (prepare.get(SMALL) ?? 0);
  const overhead = append / (bare + insert);
  return printTargets([
    atMost(`prepare over HTTP, ${LARGE} messages against ${SMALL}`, growth, MAX_GROWTH),
    atMost("append over HTTP against bare route, insert and commit", overhead, MAX_APPEND),
  ]);
}
