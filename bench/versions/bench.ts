import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { makeQuestions } from "../memory/recall/generated-turns.ts";
import { printTable } from "../print-table.ts";
import { printTargets } from "../target.ts";
import { buildOldVersion } from "./old-build.ts";
import type { VersionReady, VersionTask } from "./worker.ts";

const USAGE = "Usage: npm run bench -- versions [--entries 100000] [--requests 150]\n";
const ROOT = path.join(import.meta.dirname, "..", "..");
const CONNECTIONS = 4;
/** Rounds of the measurement. The versions take turns, and the best round counts: others use the machine too. */
const ROUNDS = 5;
/** Rounds before the measurement. */
const WARM_UP = 4;
const MIN_GAIN = 4.5;

/** Compares recalls over HTTP, with a token and ranking, with those of a build of version 0.1, in one run. */
export async function run(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...args], options: { entries: text, requests: text } });
  const [entries, requests] = [Number(values.entries ?? 100_000), Number(values.requests ?? 150)];
  if (![entries, requests].every((value) => Number.isInteger(value) && value > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  process.stderr.write("building version 0.1 …\n");
  const old = await buildOldVersion();
  if (old === undefined) {
    process.stderr.write("The history of this clone does not contain version 0.1. Fetch it: git fetch --unshallow\n");
    return 1;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  try {
    return print(await compare({ old, folder, entries, requests })) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A version under load: milliseconds of processor time of the server per recall, and its memory. */
interface Measured {
  readonly cpuMs: number;
  readonly rss: number;
}

type Versions = Readonly<Record<VersionTask["version"], Measured>>;

interface Compared {
  readonly old: string;
  readonly folder: string;
  readonly entries: number;
  readonly requests: number;
}

async function compare({ old, folder, entries, requests }: Compared): Promise<Versions> {
  const task = (version: VersionTask["version"], root: string): VersionTask => ({
    ...{ version, root, size: entries, file: path.join(folder, `${version}.db`) },
  });
  process.stderr.write(`${entries} entries in a file of each version …\n`);
  const servers = [await start(task("old", old)), await start(task("new", ROOT))] as const;
  try {
    // Until the code of both is compiled.
    for (const server of servers) await load(server, WARM_UP * requests);
    const rounds: (readonly [Measured, Measured])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await load(servers[0], requests), await load(servers[1], requests)]);
    const best = (at: 0 | 1): Measured => ({
      cpuMs: Math.min(...rounds.map((round) => round[at].cpuMs)),
      rss: rounds.at(-1)?.[at].rss ?? 0,
    });
    return { old: best(0), new: best(1) };
  } finally {
    for (const { child } of servers) child.kill();
  }
}

interface Server extends VersionReady {
  readonly child: ChildProcess;
}

async function start(task: VersionTask): Promise<Server> {
  const child = fork(path.join(import.meta.dirname, "worker.ts"), { execArgv: process.execArgv, cwd: task.root });
  child.send(task);
  const [ready] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [VersionReady];
  if (typeof ready !== "object") throw new Error(`The server of the ${task.version} version did not start.`);
  return { ...ready, child };
}

const QUESTIONS = makeQuestions(3, 50);

async function load({ child, url, secret }: Server, amount: number): Promise<Measured> {
  let next = 0;
  const recall: autocannon.Request = {
    method: "POST",
    path: "/memories/search",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    setupRequest: (request) => ({ ...request, body: JSON.stringify({ query: QUESTIONS[next++ % QUESTIONS.length] }) }),
  };
  const before = await usageOf(child);
  const done = await autocannon({ url, connections: CONNECTIONS, amount, requests: [recall], timeout: 120 });
  if (done.errors + done.timeouts + done.non2xx > 0) throw new Error(`Requests to ${url} failed.`);
  const { cpu, rss } = await usageOf(child);
  return { cpuMs: (cpu - before.cpu) / 1_000 / amount, rss };
}

async function usageOf(child: ChildProcess): Promise<{ readonly cpu: number; readonly rss: number }> {
  child.send("usage");
  const [usage] = (await once(child, "message")) as [{ cpu: number; rss: number }];
  return usage;
}

function print({ old, new: current }: Versions): boolean {
  const row = (name: string, { cpuMs, rss }: Measured) => [name, cpuMs.toFixed(2), Math.round(rss / 1e6)];
  printTable(["recall over HTTP", "CPU ms", "RSS MB"], [row("version 0.1", old), row("this version", current)]);
  const gain = old.cpuMs / current.cpuMs;
  return printTargets([
    {
      name: "recalls over HTTP per core against version 0.1",
      measured: `${gain.toFixed(2)}×`,
      limit: `at least ${MIN_GAIN}×`,
      holds: gain >= MIN_GAIN,
    },
  ]);
}
