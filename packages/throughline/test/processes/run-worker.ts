import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { typeScriptFlags } from "../../../../tools/typescript-flags.mjs";
import type { WorkerTask, WorkerWord } from "./worker-task.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

export interface WorkerRun {
  readonly words: readonly WorkerWord[];
  readonly exitCode: number | null;
  readonly errors: string;
}

/**
 * Runs a worker to its end, or kills it when it has said so many words and a little later: as a machine does, without
 * a chance to clear up.
 */
export async function runWorker(task: WorkerTask, kill?: { afterWords: number; later: number }): Promise<WorkerRun> {
  const child = spawn(process.execPath, [...typeScriptFlags, WORKER, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const words: WorkerWord[] = [];
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    // The last line of a killed worker may be half of one.
    if (line.endsWith("}")) words.push(JSON.parse(line) as WorkerWord);
    if (kill !== undefined && words.length === kill.afterWords) setTimeout(() => child.kill("SIGKILL"), kill.later);
  });
  const closed = new Promise((resolve) => lines.on("close", resolve));
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  await closed;
  return { words, exitCode, errors };
}
