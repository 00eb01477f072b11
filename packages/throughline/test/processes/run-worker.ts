import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { typeScriptFlags } from "../../../../tools/run/typescript-flags.mjs";
import type { WorkerTask, WorkerWord } from "./worker-task.ts";

export interface WorkerRun<Word = WorkerWord> {
  readonly words: readonly Word[];
  readonly exitCode: number | null;
  readonly errors: string;
}

/** Number of reports, and milliseconds after them, at which a worker is killed. */
export interface Kill {
  readonly afterWords: number;
  readonly later: number;
}

export function runWorker(task: WorkerTask, kill?: Kill): Promise<WorkerRun> {
  return runProgram<WorkerWord>("worker.ts", task, kill);
}

/**
 * Runs a program of this folder, which prints one report per line, to its end; or kills it shortly after a number of
 * reports, without a chance to clean up, like a crash.
 */
export async function runProgram<Word>(program: string, task: unknown, kill?: Kill): Promise<WorkerRun<Word>> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [...typeScriptFlags, path, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const words: Word[] = [];
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    // The last line of a killed worker may be half of one.
    if (line.endsWith("}")) words.push(JSON.parse(line) as Word);
    if (kill !== undefined && words.length === kill.afterWords) setTimeout(() => child.kill("SIGKILL"), kill.later);
  });
  const closed = new Promise((resolve) => lines.on("close", resolve));
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  await closed;
  return { words, exitCode, errors };
}
