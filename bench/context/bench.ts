import process from "node:process";
import { run as runAssemble } from "./assemble.ts";
import { run as runLatency } from "./latency.ts";
import { run as runPatterns } from "./patterns.ts";

const SETS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  assemble: runAssemble,
  latency: runLatency,
  patterns: runPatterns,
};

/** What context is measured by, one set at a time: npm run bench -- context SET --data FOLDER. */
export async function run([name = "", ...args]: readonly string[]): Promise<number> {
  const set = SETS[name];
  if (set !== undefined) return set(args);
  process.stderr.write(`Usage: npm run bench -- context ${Object.keys(SETS).join(" | ")} --data FOLDER\n`);
  return 2;
}
