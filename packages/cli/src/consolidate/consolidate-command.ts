import process from "node:process";
import type { Command } from "commander";
import type { DataOptions } from "../data/open-data.ts";
import { nothingRemembered, withKeptMemory } from "../data/stored-memory.ts";
import { interruptible } from "../interruption.ts";
import { dryRunOption, jsonOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { Progress } from "../progress.ts";
import { NOTHING_DONE, printConsolidation } from "./print-consolidation.ts";

interface ConsolidateCommandOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addConsolidateCommand(program: Command): void {
  program
    .command("consolidate")
    .summary("tidy up memories")
    .description(
      "tidy up what is remembered: merge what says the same, tell old things in short, trust what proved useful, find " +
        "contradictions, forget what is of no use, link what belongs together; nothing is erased",
    )
    .addOption(projectOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline consolidate --dry-run")
    .action((_, command: Command) => consolidate(command.optsWithGlobals()));
}

async function consolidate(options: ConsolidateCommandOptions): Promise<void> {
  const { dryRun = false } = options;
  const done = await withKeptMemory(options, (memory) =>
    interruptible(STOPPED, async (signal) => {
      const progress = new Progress("Tidying up", STEPS);
      const result = await memory.consolidate({ dryRun, signal, onProgress: whenSlow(progress) });
      progress.end();
      signal.throwIfAborted();
      return result;
    }),
  );
  if (options.json) process.stdout.write(printJson({ dryRun, ...(done ?? NOTHING_DONE) }));
  else process.stdout.write(done === undefined ? nothingRemembered(options) : printConsolidation(done, dryRun));
}

const STOPPED = "What was done is in the journal; the same command does the rest.";
/** Steps of a pass over what is the user's, where nearly everything is. */
const STEPS = 6;
/** Milliseconds before anybody could wonder. */
const PATIENCE = 1_000;

function whenSlow(progress: Progress): () => void {
  const began = Date.now();
  let untold = 0;
  return () => {
    untold += 1;
    if (Date.now() - began < PATIENCE) return;
    progress.advance(untold);
    untold = 0;
  };
}
