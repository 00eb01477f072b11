import process from "node:process";
import { run as runAssemble } from "./assemble.ts";
import { run as runCommands } from "./commands.ts";
import { run as runDecisions } from "./episodes/decisions.ts";
import { run as runOutcomes } from "./episodes/outcomes.ts";
import { run as runTitles } from "./episodes/titles.ts";
import { run as runLatency } from "./latency.ts";
import { run as runPatterns } from "./patterns.ts";
import { run as runCoChange } from "./predict/run-cochange.ts";
import { run as runFileAccess } from "./predict/run-file-access.ts";
import { run as runFit } from "./predict/run-fit.ts";
import { run as runPredictLatency } from "./predict/run-latency.ts";
import { run as runMemories } from "./predict/run-memories.ts";
import { run as runStart } from "./start.ts";

const SETS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  assemble: runAssemble,
  cochange: runCoChange,
  decisions: runDecisions,
  commands: runCommands,
  "file-access": runFileAccess,
  fit: runFit,
  latency: runLatency,
  memories: runMemories,
  outcomes: runOutcomes,
  patterns: runPatterns,
  "predict-latency": runPredictLatency,
  titles: runTitles,
  start: runStart,
};

/** Runs one context benchmark: npm run bench -- context SET --data FOLDER. */
export async function run([name = "", ...args]: readonly string[]): Promise<number> {
  const set = SETS[name];
  if (set !== undefined) return set(args);
  process.stderr.write(`Usage: npm run bench -- context ${Object.keys(SETS).join(" | ")} --data FOLDER\n`);
  return 2;
}
