import process from "node:process";
import { run as runContradictions } from "./contradictions/run-contradictions.ts";
import { run as runDurable } from "./extraction/run-durable.ts";
import { run as runExtraction } from "./extraction/run-extraction.ts";
import { run as runForgetting } from "./forgetting/run-forgetting.ts";
import { run as runPeers } from "./peers/run-peers.ts";
import { run as runBeam } from "./recall/run-beam.ts";
import { run as runLocomo } from "./recall/run-locomo.ts";
import { run as runPrecision } from "./recall/run-precision.ts";
import { run as runPrecisionWorld } from "./recall/run-precision-world.ts";
import { run as runQuestions } from "./recall/run-questions.ts";
import { run as runSearch } from "./search/run-search.ts";
import { run as runService } from "./service/run-service.ts";
import { run as runStatebench } from "./statebench/run-statebench.ts";
import { run as runUpdates } from "./updates/run-updates.ts";

const SETS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  contradictions: runContradictions,
  durable: runDurable,
  extraction: runExtraction,
  locomo: runLocomo,
  beam: runBeam,
  precision: runPrecision,
  "precision-world": runPrecisionWorld,
  questions: runQuestions,
  search: runSearch,
  forgetting: runForgetting,
  peers: runPeers,
  service: runService,
  statebench: runStatebench,
  updates: runUpdates,
};

/** Runs one memory benchmark: npm run bench -- memory SET --data FOLDER. */
export async function run([name = "", ...args]: readonly string[]): Promise<number> {
  const set = SETS[name];
  if (set !== undefined) return set(args);
  process.stderr.write(`Usage: npm run bench -- memory ${Object.keys(SETS).join(" | ")} --data FOLDER\n`);
  return 2;
}
