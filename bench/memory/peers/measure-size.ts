import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { MixedQuestion } from "./mixed-turns.ts";
import type { AskedSize, FilledSize, SizeTask } from "./size-worker.ts";

/** A package in which a number of turns is searched. Times are milliseconds of CPU time of a process. */
export interface MeasuredSize {
  readonly fillMs: number;
  /** Opening what is stored and the first question, in a new process. */
  readonly coldMs: number;
  readonly asked: AskedSize;
  /** Bytes. */
  readonly files: number;
}

export interface SizeOptions {
  readonly data: string;
  readonly peers: string | undefined;
  readonly scratch: string;
  readonly questions: readonly MixedQuestion[];
  /** Minutes of CPU time after which a process is stopped. */
  readonly minutes: number;
}

/** New processes that open a filled package; the fastest counts. */
const OPENED = 3;

/** Measures one package with one number of turns, in its own processes. Returns why if it cannot. */
export async function measureSize(name: string, turns: number, options: SizeOptions): Promise<MeasuredSize | string> {
  const { data, peers, scratch, questions, minutes } = options;
  const folder = mkdtempSync(path.join(scratch, "size-"));
  try {
    const filled = await runWorker<FilledSize>({ name, peers, folder, minutes, fill: { data, turns } });
    if (typeof filled === "string") return filled === TIMED_OUT ? `not filled in ${minutes} minutes` : filled;
    const files = sizeOfFiles(folder);
    let coldMs = Number.POSITIVE_INFINITY;
    for (let round = 1; ; round += 1) {
      const isLast = round === OPENED;
      const asking = isLast ? questions : questions.slice(0, 1);
      const asked = await runWorker<AskedSize>({ name, peers, folder, minutes, questions: asking });
      if (typeof asked === "string")
        return asked === TIMED_OUT ? `questions not answered in ${minutes} minutes` : asked;
      coldMs = Math.min(coldMs, asked.coldMs);
      if (isLast) return { fillMs: filled.fillMs, coldMs, asked, files };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TIMED_OUT = "timed out";

/** The result of a process, {@link TIMED_OUT}, or the reason why it failed. */
async function runWorker<Result>(task: SizeTask): Promise<Result | string> {
  const child = fork(path.join(import.meta.dirname, "size-worker.ts"), { execArgv: process.execArgv });
  let result: Result | string | undefined;
  child.on("message", (message: Result | string) => {
    result = message;
  });
  child.send(task);
  const [code, signal] = await once(child, "exit");
  if (result !== undefined) return result;
  return signal === "SIGKILL" ? TIMED_OUT : `fails with ${signal ?? code}`;
}

function sizeOfFiles(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
}
