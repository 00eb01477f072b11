import process from "node:process";
import type { Command } from "commander";
import {
  type MemoryKind,
  type MemoryScope,
  type MemoryService,
  type Remembered,
  type RememberInput,
  SecretRefusedError,
} from "throughline";
import { omitUndefined } from "throughline/internal";
import type { FactCategory } from "throughline/memory";
import { type DataOptions, withNewData } from "../data/open-data.ts";
import { categoryOption, dateFrom, each, jsonOption, kindOption, projectOption, scopeOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { readText } from "../read-text.ts";
import { UsageError } from "../usage-error.ts";
import { printRemembered, type RememberedOutput } from "./print-remembered.ts";

interface RememberOptions extends DataOptions {
  readonly kind?: MemoryKind;
  readonly category?: FactCategory;
  readonly key?: string;
  readonly value?: string;
  readonly subject?: string;
  readonly alias?: readonly string[];
  readonly pin?: boolean;
  readonly scope?: MemoryScope;
  readonly validFrom?: number;
  readonly keepSecrets?: boolean;
  readonly json?: boolean;
}

export function addRememberCommand(program: Command): void {
  program
    .command("remember")
    .summary("keep something in mind")
    .description("keep something in mind: it is new, was known, or takes the place of what no longer holds")
    .argument("[text...]", "one thing, in a sentence; - or nothing reads standard input")
    .addOption(kindOption("a fact if not given"))
    .addOption(categoryOption("what a fact is about; such facts are few, and old ones make room"))
    .option("--key <name>", "what it says something of, such as db; read from the sentence if not given")
    .option("--value <text>", "what it says of it; goes with --key")
    .option("--subject <name>", "of whom or what it is true; of you if not given")
    .option("--alias <name>", "another name under which it is found; may be given several times", each)
    .option("--pin", "never let it make room for others")
    .addOption(scopeOption("who sees it; you alone if not given"))
    .addOption(projectOption("a folder (. is this one) or a name (default: none, seen from every project)"))
    .option("--valid-from <date>", "since when it is true; from now on if not given", dateFrom)
    .option("--keep-secrets", "keep it even if it looks like a password or a key")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nExamples:\n  throughline remember "We deploy on Fridays."\n  throughline remember "We use PostgreSQL" --key db --value PostgreSQL --alias postgres\n  throughline remember --kind workflow --project shop < release-steps.txt',
    )
    .action((words: string[], _, command: Command) => remember(words, command.optsWithGlobals()));
}

async function remember(words: readonly string[], options: RememberOptions): Promise<void> {
  checkOptions(options);
  const text = await readText(
    words,
    new UsageError("There is nothing to remember.", 'Give a text: throughline remember "We deploy on Fridays."'),
  );
  const output = await withNewData(options, async (open) => keep((await open()).throughline.memory, text, options));
  process.stdout.write(options.json ? printJson(output) : printRemembered(output));
}

function checkOptions({ key, value, kind = "fact", scope, project }: RememberOptions): void {
  if (value !== undefined && (key === undefined || kind !== "fact")) {
    throw new UsageError("--value is for a fact that has a --key.", "Give both, or leave --value out.");
  }
  if (scope === "project-shared" && project === undefined) {
    throw new UsageError("--scope project-shared needs a project to share with.", "Name it with --project.");
  }
}

async function keep(memory: MemoryService, text: string, options: RememberOptions): Promise<RememberedOutput> {
  const { kind, category, key, value, subject, alias: aliases, pin: pinned, scope, validFrom, keepSecrets } = options;
  const remembered = await refusingSecrets(
    memory,
    omitUndefined({ text, kind, category, key, value, subject, aliases, pinned, scope, validFrom, keepSecrets }),
  );
  const { updatesFactId, memory: kept } = remembered;
  const other = updatesFactId === undefined ? undefined : await memory.get(updatesFactId);
  const open = await memory.contradictions({ status: "open" });
  return {
    outcome: remembered.outcome,
    memory: kept,
    replaced: other ?? null,
    contradictions: open.filter(({ memoryA, memoryB }) => memoryA === kept.id || memoryB === kept.id),
  };
}

async function refusingSecrets(memory: MemoryService, input: RememberInput): Promise<Remembered> {
  try {
    return await memory.remember(input);
  } catch (error) {
    if (!(error instanceof SecretRefusedError)) throw error;
    throw new UsageError(error.message, "Leave it out, or say --keep-secrets if it is meant to be kept.");
  }
}
