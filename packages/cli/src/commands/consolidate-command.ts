import process from "node:process";
import type { Command } from "commander";
import type { Consolidated } from "throughline/memory";
import { describeModelUse, type ModelUse, modelUse } from "../data/inference.ts";
import type { CommandOptions } from "../data/open-data.ts";
import { nothingRemembered, undoHint, withStoredMemory } from "../data/stored-memory.ts";
import { interruptible } from "../terminal/interruption.ts";
import { allProjectsOption, dryRunOption, jsonOption, projectOption, withoutModelOption } from "../terminal/options.ts";
import { number, printResult } from "../terminal/print-values.ts";
import { Progress } from "../terminal/progress.ts";

export function addConsolidateCommand(program: Command): void {
  program
    .command("consolidate")
    .summary("Tidy up memories")
    .description(
      "Tidy up memories: merge duplicates, shorten old ones, adjust confidence, find contradictions, " +
        "archive unused ones, link related ones. Nothing is erased.",
    )
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(withoutModelOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nIf THROUGHLINE_MODEL_URL is set, that model judges new facts and shortens old\nmemories.\n\nExample:\n  throughline consolidate --dry-run",
    )
    .action((_, command: Command) => consolidate(command.optsWithGlobals()));
}

const STOPPED = "Finished steps are in the journal; run the same command again for the rest.";

/** Steps of a pass over the user's own memories, which are nearly all. */
const STEPS = 6;

const NOTHING_DONE: Consolidated = {
  deduped: 0,
  compressed: 0,
  adjusted: 0,
  contradictionsFound: 0,
  forgotten: 0,
  linked: 0,
};

async function consolidate(options: CommandOptions): Promise<void> {
  const { dryRun = false } = options;
  let model: ModelUse | undefined;
  const done = await withStoredMemory({ ...options, showsModelCalls: true }, (memory, { inference }) =>
    interruptible(STOPPED, async (signal) => {
      const progress = new Progress("Consolidating", STEPS);
      const result = await memory.consolidate({ dryRun, signal, onProgress: whenSlow(progress) });
      progress.end();
      signal.throwIfAborted();
      model = modelUse(inference);
      return result;
    }),
  );
  printResult(options, { dryRun, ...(done ?? NOTHING_DONE), model: model ?? null }, () =>
    done === undefined ? nothingRemembered(options) : printConsolidation(done, dryRun),
  );
  if (model !== undefined && !options.json) process.stdout.write(`${describeModelUse(model)}\n`);
}

/** Milliseconds before progress is shown. */
const SHOW_PROGRESS_AFTER_MS = 1_000;

function whenSlow(progress: Progress): () => void {
  const began = Date.now();
  let unreported = 0;
  return () => {
    unreported += 1;
    if (Date.now() - began < SHOW_PROGRESS_AFTER_MS) return;
    progress.advance(unreported);
    unreported = 0;
  };
}

const WORDS = {
  deduped: "duplicates merged",
  compressed: "old memories shortened",
  adjusted: "confidence values adjusted",
  contradictionsFound: "contradictions found",
  forgotten: "unused memories archived",
  linked: "links added",
} as const satisfies Readonly<Record<Exclude<keyof Consolidated, "journalId" | "changes">, string>>;

function printConsolidation(done: Consolidated, dryRun: boolean): string {
  const amounts = Object.entries(WORDS).map(([name, words]) => [done[name as keyof typeof WORDS], words] as const);
  if (amounts.every(([amount]) => amount === 0)) return "Nothing to tidy up.\n";
  const lines = [
    dryRun ? "Dry run, nothing was changed. A real run would report:" : "Done:",
    ...amounts.map(([amount, words]) => `${number(amount).padStart(8)}  ${words}`),
    ...undoHint(done.journalId),
  ];
  return `${lines.join("\n")}\n`;
}
