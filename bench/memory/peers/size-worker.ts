import path from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";
import { bytesHeld } from "../bytes-held.ts";
import { readLocomo } from "../recall/read-locomo.ts";
import { cpuTimeAsync } from "../search/cpu-time.ts";
import { type MixedQuestion, mixTurns } from "./mixed-turns.ts";
import type { OpenPeer, Peer } from "./peer.ts";
import { loadPeer } from "./peer-registry.ts";
import { embedQuestion } from "./shared-embedder.ts";

// Fills one package, or asks a filled one, in its own process.

export interface SizeTask {
  readonly name: string;
  readonly peers: string | undefined;
  /** Holds the files of the package. */
  readonly folder: string;
  /** Minutes of CPU time after which the process ends itself. */
  readonly minutes: number;
  readonly fill?: FillTask;
  readonly questions?: readonly MixedQuestion[];
}

interface FillTask {
  readonly data: string;
  readonly turns: number;
}

export interface FilledSize {
  readonly fillMs: number;
}

export interface AskedSize {
  /** Milliseconds of CPU time to open and to answer the first question. */
  readonly coldMs: number;
  /** Milliseconds of CPU time per question. */
  readonly times: readonly number[];
  /** Share of the evidence among the first 10 and 50; missing if the process was stopped before all questions. */
  readonly recallAt10?: number;
  readonly recallAt50?: number;
  /** Growth of the process since before opening, after a garbage collection, in bytes. */
  readonly rss: number;
  /** Growth of JavaScript's objects and buffers. */
  readonly held: number;
}

const LIMIT = 10;
const DEPTH = 50;
const TIMED_QUESTIONS = 100;
/** Milliseconds of CPU time after which slow packages are not warmed up any longer. */
const WARM_UP = 60_000;

process.once("message", async (task: SizeTask) => {
  try {
    const peer = await loadPeer(task.name, task.peers);
    if (peer === undefined) throw new Error("not installed");
    // The embedder's words are loaded before, in all processes.
    await embedQuestion("first");
    process.send?.(await measure(peer, task));
  } catch (error) {
    process.send?.(`not measured: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.disconnect();
  process.exit();
});

async function measure(peer: Peer, { fill, folder, questions = [], minutes }: SizeTask) {
  const { reopen } = peer;
  if (reopen === undefined) throw new Error("keeps no files");
  if (fill === undefined) {
    limitCpuTime(minutes);
    return ask(reopen, folder, questions);
  }
  const conversations = await readLocomo(path.join(fill.data, "locomo"));
  const turns = await mixTurns(conversations, fill.data, fill.turns);
  limitCpuTime(minutes);
  const [fillMs] = await cpuTimeAsync(async () => (await peer.open(turns, folder)).close());
  return { fillMs } satisfies FilledSize;
}

async function ask(
  reopen: NonNullable<Peer["reopen"]>,
  folder: string,
  questions: readonly MixedQuestion[],
): Promise<AskedSize> {
  const [heldBefore, rssBefore] = [bytesHeld(), process.memoryUsage.rss()];
  const [coldMs, open] = await cpuTimeAsync(async () => {
    const opened = await reopen(folder);
    await opened.recall(questions[0]?.text ?? "", LIMIT);
    return opened;
  });
  const step = Math.max(1, Math.floor(questions.length / TIMED_QUESTIONS));
  const timed = questions.filter((_, at) => at % step === 0);
  await warmUp(open, questions);
  const times: number[] = [];
  for (const { text } of timed) times.push((await cpuTimeAsync(() => open.recall(text, LIMIT)))[0]);
  const [held, rss] = [bytesHeld() - heldBefore, process.memoryUsage.rss() - rssBefore];
  const asked: AskedSize = { coldMs, times, rss, held };
  // This is the result if finding the evidence takes too long.
  process.send?.(asked);
  const [recallAt10, recallAt50] = await findEvidence(open, questions);
  await open.close();
  return { ...asked, recallAt10, recallAt50 };
}

/** Asks all questions once, so that code is compiled and files are in memory. */
async function warmUp(open: OpenPeer, questions: readonly MixedQuestion[]): Promise<void> {
  let spent = 0;
  for (const { text } of questions) {
    if (spent > WARM_UP) return;
    spent += (await cpuTimeAsync(() => open.recall(text, LIMIT)))[0];
  }
}

async function findEvidence(
  open: OpenPeer,
  questions: readonly MixedQuestion[],
): Promise<readonly [at10: number, at50: number]> {
  let [at10, at50] = [0, 0];
  for (const { text, evidence } of questions) {
    const ranked = await open.rank(text, DEPTH);
    const shareIn = (ids: readonly string[]) => evidence.filter((id) => ids.includes(id)).length / evidence.length;
    at10 += shareIn(ranked.slice(0, LIMIT));
    at50 += shareIn(ranked.slice(0, DEPTH));
  }
  return [at10 / questions.length, at50 / questions.length];
}

/** A process may also wait for the disk, this many times as long as it may compute. */
const MAX_WAIT = 4;

/** Ends the process after so many minutes of CPU time, also while it computes without a pause. */
function limitCpuTime(minutes: number): void {
  const most = minutes * 60_000_000;
  const code = `
    const start = process.cpuUsage();
    const began = performance.now();
    setInterval(() => {
      const { user, system } = process.cpuUsage(start);
      const waited = 1_000 * (performance.now() - began);
      if (user + system > ${most} || waited > ${MAX_WAIT * most}) process.kill(process.pid, "SIGKILL");
    }, 1_000);
  `;
  new Worker(code, { eval: true, execArgv: [] }).unref();
}
