import process from "node:process";
import { run as runContradictions } from "./contradictions/run-contradictions.ts";
import { run as runExtraction } from "./extraction/run-extraction.ts";

const SETS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  contradictions: runContradictions,
  extraction: runExtraction,
};

/** What memory is measured by, one set at a time: npm run bench -- memory SET --data FOLDER. */
export async function run([name = "", ...args]: readonly string[]): Promise<number> {
  const set = SETS[name];
  if (set !== undefined) return set(args);
  process.stderr.write(`Usage: npm run bench -- memory ${Object.keys(SETS).join(" | ")} --data FOLDER\n`);
  return 2;
}
