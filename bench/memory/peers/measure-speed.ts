import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { measureMemory } from "../../prepare/measure-memory.ts";
import type { SaidTurn } from "../recall/conversation.ts";
import type { OpenPeer, Peer } from "./peer.ts";

const LIMIT = 10;
/** Questions before timing starts, so that compilation and file reads are not measured. */
const WARM_UP = 5;

/** The cost of ingesting turns, and of the following questions. */
export interface Filled {
  readonly open: OpenPeer;
  readonly turns: number;
  readonly seconds: number;
  /** Bytes in memory. */
  readonly memory: number;
}

export async function fill(peer: Peer, turns: readonly SaidTurn[], folder: string): Promise<Filled> {
  const before = bytesHeld();
  const start = performance.now();
  const open = await peer.open(turns, folder);
  // Some packages build their index with the first question.
  await open.recall(turns[0]?.text ?? "", LIMIT);
  const seconds = (performance.now() - start) / 1_000;
  return { open, turns: turns.length, seconds, memory: bytesHeld() - before };
}

/** Milliseconds per question, with the package's own thresholds. */
export async function timeQuestions(peer: OpenPeer, questions: readonly string[]): Promise<number[]> {
  for (const question of questions.slice(0, WARM_UP)) await peer.recall(question, LIMIT);
  const times: number[] = [];
  for (const question of questions) {
    const start = performance.now();
    await peer.recall(question, LIMIT);
    times.push(performance.now() - start);
  }
  return times;
}

/** Times that a filled package is opened; the fastest counts, because other processes use the machine too. */
const OPENED = 3;

/** Milliseconds to open what a package has stored, with the first question; `undefined` if it stores nothing. */
export async function timeReopen(peer: Peer, folder: string, question: string): Promise<number | undefined> {
  const times: number[] = [];
  for (let round = 0; round < OPENED && peer.reopen !== undefined; round += 1) {
    const start = performance.now();
    const open = await peer.reopen(folder);
    await open.recall(question, LIMIT);
    times.push(performance.now() - start);
    await open.close();
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Heap and array buffers. */
function bytesHeld(): number {
  return measureMemory() + process.memoryUsage().external;
}

export function bytesOfFiles(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
}
