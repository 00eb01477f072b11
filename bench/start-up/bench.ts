import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createThroughline } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { makeEntries, makeQuestions } from "../memory/recall/generated-turns.ts";
import { printTable } from "../print-table.ts";
import { atMost, printTargets, type Target } from "../target.ts";
import { processTime } from "./process-time.ts";

const USAGE = "Usage: npm run bench -- start-up [--memories 5000] [--runs 15]\n";
const BIN = path.join(import.meta.dirname, "..", "..", "packages", "cli", "dist", "bin.js");
/** Maximum CPU time of a command against a Node process that runs an empty file. */
const MAX_RATIOS = { "--version": 1.3, recall: 3, "hook session-start": 3 } as const;

/** Measures the CPU time of short commands, from the start of the process to its end. */
export async function run(args: readonly string[]): Promise<number> {
  const options = { memories: { type: "string", default: "5000" }, runs: { type: "string", default: "15" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const [memories, runs] = [Number(values.memories), Number(values.runs)];
  if (!(memories >= 0) || !(runs > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  return printTargets(await measureStartUp(memories, runs)) ? 0 : 1;
}

/** Fills a store with memories, and measures the commands on it. */
async function measureStartUp(memories: number, runs: number): Promise<readonly Target[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  try {
    const empty = path.join(folder, "empty.mjs");
    await writeFile(empty, "");
    await fill(path.join(folder, "throughline.db"), memories);
    const [question = ""] = makeQuestions(2, 1);
    const input = JSON.stringify({ session_id: "s", source: "startup", cwd: folder, hook_event_name: "SessionStart" });
    const commands: Readonly<Record<string, readonly string[]>> = {
      "empty file": [empty],
      "--version": [BIN, "--version"],
      recall: [BIN, "recall", question, "--data", folder],
      "hook session-start": [BIN, "hook", "session-start", "--data", folder],
    };
    const times = new Map(Object.keys(commands).map((name) => [name, Number.POSITIVE_INFINITY]));
    // The commands take turns, and the least time counts: other processes use the machine too.
    for (let round = 0; round < runs; round += 1) {
      for (const [name, command] of Object.entries(commands))
        times.set(name, Math.min(times.get(name) ?? 0, processTime(command, { cwd: folder, input })));
    }
    printTable(
      ["command", "CPU ms"],
      [...times].map(([name, ms]) => [name, Math.round(ms)]),
    );
    const least = times.get("empty file") ?? 0;
    return Object.entries(MAX_RATIOS).map(([name, limit]) =>
      atMost(`${name}, ${memories} memories, against an empty Node process`, (times.get(name) ?? 0) / least, limit),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(file: string, count: number): Promise<void> {
  const throughline = await createThroughline({ store: sqliteStore(file) });
  const made = makeEntries(1);
  for (let at = 0; at < count; at += 1) await throughline.memory.remember({ text: made.next().value.text });
  // Stores the search index.
  await throughline.memory.recall("first");
  await throughline.close();
}
