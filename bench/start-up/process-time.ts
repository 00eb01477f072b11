import { spawnSync } from "node:child_process";
import process from "node:process";

interface ProcessOptions {
  readonly cwd: string;
  /** Text on standard input. */
  readonly input: string;
}

/** Node does not report the CPU time of its children; bash does. */
const TIMED = `TIMEFORMAT="CPU %3U %3S"; time "$@" > /dev/null`;

/** Milliseconds of CPU time of a Node process, with all of its threads, from its start to its end. */
export function processTime(args: readonly string[], { cwd, input }: ProcessOptions): number {
  const command = ["-c", TIMED, "bash", process.execPath, ...args];
  const { status, stderr } = spawnSync("bash", command, { cwd, input, encoding: "utf8" });
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)\n$/.exec(stderr) ?? [];
  if (status !== 0 || user === undefined) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return 1_000 * (Number(user) + Number(system));
}
