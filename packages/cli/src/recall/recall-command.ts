import process from "node:process";
import { type Command, Option } from "commander";
import type { MemoryKind, MemoryScope, RecallOptions } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { DataOptions } from "../data/open-data.ts";
import { nothingRemembered, withKeptMemory } from "../data/stored-memory.ts";
import { dateUntil, jsonOption, kindOption, projectOption, scopeOption, wholeNumber } from "../options.ts";
import { printJson } from "../print-json.ts";
import { UsageError } from "../usage-error.ts";
import { printHits } from "./print-hits.ts";
import { recallHandle } from "./recall-handle.ts";

const SOURCES = ["memories", "turns", "both"] as const;

interface RecallCommandOptions extends DataOptions {
  readonly session?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly from?: (typeof SOURCES)[number];
  readonly kind?: MemoryKind;
  readonly scope?: MemoryScope;
  readonly asOf?: number;
  readonly budget?: number;
  readonly json?: boolean;
}

export function addRecallCommand(program: Command): void {
  program
    .command("recall")
    .summary("find what is remembered, and why it fits")
    .description("find what is remembered and was said that fits a question; with --session, what a handle stands for")
    .argument(
      "<question...>",
      "a question, or words; with --session part:ID, message:ID, messages:ID..ID or a compaction",
    )
    .option("-n, --limit <number>", "hits at the most; 10 if not given", wholeNumber)
    .option("-a, --all", "fill the limit, also with what hardly fits")
    .addOption(new Option("--from <what>", "where to look; in both if not given").choices(SOURCES))
    .addOption(kindOption("only memories of a kind"))
    .addOption(scopeOption("only what these see"))
    .addOption(projectOption())
    .option("--as-of <date>", "what was so then; a day counts to its end", dateUntil)
    .option("-b, --budget <tokens>", "tokens that all hits together take at the most", wholeNumber)
    .option("-s, --session <id>", "print what a handle of this session stands for, as it was said")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nExamples:\n  throughline recall "When do we deploy?"\n  throughline recall database --from memories --as-of 2026-05-01\n  throughline recall compaction-1 --session 0276a600',
    )
    .action((words: string[], _, command: Command) => recall(words, command.optsWithGlobals()));
}

async function recall(words: readonly string[], options: RecallCommandOptions): Promise<void> {
  const { session } = options;
  if (session === undefined) return recallQuestion(words.join(" "), options);
  const [handle = "", ...more] = words;
  if (more.length > 0) throw new UsageError("--session takes one handle.", "Give one, or leave --session out.");
  const { limit, all, from, kind, scope, asOf, budget } = options;
  const [stray] = Object.entries({ limit, all, from, kind, scope, "as-of": asOf, budget }).filter(([, value]) => value);
  if (stray !== undefined) {
    throw new UsageError(`--${stray[0]} is for a question.`, "Leave it out, or leave --session out.");
  }
  return recallHandle(session, handle, options);
}

async function recallQuestion(question: string, options: RecallCommandOptions): Promise<void> {
  const { limit, all, from, kind, scope, asOf, budget } = options;
  const settings: RecallOptions = omitUndefined({
    limit,
    cut: all ? "none" : "calibrated",
    from,
    kinds: kind && [kind],
    scope,
    asOf,
    budget,
  });
  const hits = await withKeptMemory(options, (memory) => memory.recall(question, settings));
  if (options.json) process.stdout.write(printJson({ question, hits: hits ?? [] }));
  else process.stdout.write(hits === undefined ? nothingRemembered(options) : printHits(question, hits));
}
