import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import {
  type Contradiction,
  type Memory,
  type MemoryKind,
  type MemoryScope,
  type MemoryService,
  type Remembered,
  type RememberInput,
  type RememberOutcome,
  SecretRefusedError,
} from "throughline";
import { omitUndefined } from "throughline/internal/util";
import type { FactCategory } from "throughline/memory";
import { projectOf } from "../config/project.ts";
import { type CommandOptions, withNewData } from "../data/open-data.ts";
import { memoryLine, notesOf } from "../data/stored-memory.ts";
import {
  categoryOption,
  dateFrom,
  each,
  jsonOption,
  kindOption,
  projectOption,
  scopeOption,
  withoutModelOption,
} from "../terminal/options.ts";
import { count, moment, printableLine, printResult } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

interface RememberOptions extends CommandOptions {
  readonly kind?: MemoryKind;
  readonly category?: FactCategory;
  readonly key?: string;
  readonly value?: string;
  readonly subject?: string;
  readonly alias?: readonly string[];
  readonly pin?: boolean;
  readonly scope?: MemoryScope;
  readonly validFrom?: number;
  readonly replaces?: readonly string[];
  readonly personal?: boolean;
  readonly keepSecrets?: boolean;
}

export function addRememberCommand(program: Command): void {
  program
    .command("remember")
    .summary("Save a memory")
    .description("Save a memory. Prints `added`, `merged` or `replaced`, and related memories.")
    .argument("[text...]", "One statement as a sentence (default, or with -: standard input)")
    .addOption(kindOption("Kind of memory (default: fact)"))
    .addOption(categoryOption("Category of the fact; each category has a limit, and old facts are archived"))
    .option("--key <name>", "Key of the fact, such as db (default: extracted from the sentence)")
    .option("--value <text>", "Value of the fact; requires --key")
    .option("--subject <name>", "Person or thing that the fact is about (default: you)")
    .option("--alias <name>", "Other name by which recall finds it; repeatable", each)
    .option("--pin", "Pin it, so that it is never archived automatically")
    .addOption(scopeOption("Visibility of the memory (default: only you)"))
    .addOption(projectOption("Folder or project name (default: the repository you are in, if any)"))
    .option("--personal", "Save the memory for all projects (default for facts about you)")
    .option("--valid-from <date>", "Date from which the memory is true (default: now)", dateFrom)
    .option("--replaces <id>", "Id of a memory that this one replaces; repeatable", each)
    .addOption(withoutModelOption())
    .option("--keep-secrets", "Save it even if it looks like a password or key")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nExamples:\n  throughline remember "We deploy on Fridays."\n  throughline remember "We use PostgreSQL" --key db --value PostgreSQL\n  throughline remember --kind workflow --project shop < release-steps.txt',
    )
    .action((words: string[], _, command: Command) => remember(words, command.optsWithGlobals()));
}

async function remember(words: readonly string[], options: RememberOptions): Promise<void> {
  checkOptions(options);
  const text = await readText(
    words,
    new UsageError("Nothing to remember: no text given.", 'Give a text: throughline remember "We deploy on Fridays."'),
  );
  const inProject = omitUndefined({ ...options, project: projectFor(options) });
  const output = await withNewData(inProject, async (open) => keep((await open()).throughline.memory, text, options));
  printResult(options, output, () => printRemembered(output));
}

/** The named project, or the repository of the current folder; none for personal memories. */
function projectFor({ personal = false, project }: RememberOptions): string | undefined {
  if (personal) return undefined;
  const here = projectOf(process.cwd());
  return project ?? (here.isRepository ? here.id : undefined);
}

function checkOptions(options: RememberOptions): void {
  const { key, value, kind = "fact", scope } = options;
  if (value !== undefined && (key === undefined || kind !== "fact")) {
    throw new UsageError("--value requires --key.", "Give both, or remove --value.");
  }
  if (scope === "project-shared" && projectFor(options) === undefined) {
    throw new UsageError("--scope project-shared requires a project.", "Select it with --project.");
  }
}

async function keep(memory: MemoryService, text: string, options: RememberOptions): Promise<RememberedOutput> {
  const { kind, category, key, value, subject, alias: aliases, pin: pinned, scope, validFrom } = options;
  const { replaces, keepSecrets } = options;
  const remembered = await refusingSecrets(
    memory,
    omitUndefined({
      text,
      kind,
      category,
      key,
      value,
      subject,
      aliases,
      pinned,
      scope,
      validFrom,
      replaces,
      keepSecrets,
    }),
  );
  const { updatesFactId, memory: kept } = remembered;
  const other = updatesFactId === undefined ? undefined : await memory.get(updatesFactId);
  const open = await memory.contradictions({ status: "open" });
  return {
    outcome: remembered.outcome,
    memory: kept,
    replaced: other ?? null,
    contradictions: open.filter(({ memoryA, memoryB }) => memoryA === kept.id || memoryB === kept.id),
    related: remembered.related,
  };
}

async function refusingSecrets(memory: MemoryService, input: RememberInput): Promise<Remembered> {
  try {
    return await memory.remember(input);
  } catch (error) {
    if (!(error instanceof SecretRefusedError)) throw error;
    throw new UsageError(error.summary, "Remove the secret, or add --keep-secrets to save it anyway.");
  }
}

interface RememberedOutput {
  readonly outcome: RememberOutcome;
  readonly memory: Memory;
  /** The current state of the replaced memory. */
  readonly replaced: Memory | null;
  /** Open contradictions with it. */
  readonly contradictions: readonly Contradiction[];
  /** Current facts about related things. */
  readonly related: readonly Memory[];
}

const OUTCOMES: Readonly<Record<RememberOutcome, string>> = {
  added: "Added:",
  merged: "Merged:",
  replaced: "Replaced:",
};

function printRemembered(output: RememberedOutput): string {
  const { memory, contradictions, related } = output;
  const notes = notesOf(memory);
  const lines = [
    `${styleText("bold", OUTCOMES[output.outcome])} ${memoryLine(memory)}`,
    `  ${[printableLine(memory.id), ...notes].join(" · ")}`,
    ...changesOf(output),
    ...contradictions.map(
      ({ id, reason }) => `Contradicts ${styleText("dim", printableLine(id))}: ${printableLine(reason)}`,
    ),
    ...(contradictions.length === 0 ? [] : ["`throughline contradictions` shows both sides."]),
    ...related.map((one) => `Related: ${memoryLine(one)} ${styleText("dim", printableLine(one.id))}`),
    ...(related.length === 0 ? [] : ["If one is outdated now, save this again with --replaces ID."]),
  ];
  return `${lines.join("\n")}\n`;
}

function changesOf({ outcome, memory, replaced }: RememberedOutput): string[] {
  if (outcome === "merged") return [`Mentioned ${count(memory.mentions, "time")} so far.`];
  if (replaced === null) return [];
  const other = `“${memoryLine(replaced)}” (${printableLine(replaced.id)})`;
  // A statement about the past may have ended before it was stored.
  if (replaced.validTo === undefined) return [`It was true until ${moment(memory.validTo ?? 0)}; now true: ${other}`];
  return [`Replaces ${other}, which ended ${moment(replaced.validTo)}.`];
}

/** Longer input is not a memory, and is not read to its end. */
const MAX_BYTES = 1_000_000;

/** The arguments as one text; standard input for `-`, or for no arguments if input is piped. */
export async function readText(words: readonly string[], missing: UsageError): Promise<string> {
  const isPiped = words.length === 0 ? !process.stdin.isTTY : words.length === 1 && words[0] === "-";
  const text = isPiped ? await readInput() : words.join(" ");
  if (text.trim() === "") throw missing;
  return text;
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new UsageError(
        `The text on standard input is too long for one memory: the limit is ${MAX_BYTES / 1_000_000} MB.`,
        "Give one statement, in a sentence.",
      );
  }
  return Buffer.concat(chunks).toString();
}
