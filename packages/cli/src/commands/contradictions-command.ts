import { styleText } from "node:util";
import { type Command, Option } from "commander";
import type { Contradiction, MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import type { Resolution } from "throughline/memory";
import type { CommandOptions } from "../data/open-data.ts";
import {
  lastChangeOf,
  notFoundError,
  nothingRemembered,
  pickByPrefix,
  undoHint,
  withStoredMemory,
} from "../data/stored-memory.ts";
import { allProjectsOption, dryRunOption, jsonListOption, jsonOption, projectOption } from "../terminal/options.ts";
import { count, moment, printableLine, printResult } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

const STATUSES = ["open", "resolved", "all"] as const;

interface ContradictionsOptions extends CommandOptions {
  readonly status: (typeof STATUSES)[number];
}

export function addContradictionsCommand(program: Command): void {
  const command = program
    .command("contradictions")
    .summary("List and resolve contradictions")
    .description("List memories that cannot both be true. Resolve one with `contradictions resolve`.")
    .addOption(
      new Option("--status <status>", "Status of the contradictions to list").choices(STATUSES).default("open"),
    )
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(jsonListOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline contradictions --status all\n  throughline contradictions resolve con_0mwhp5 --resolution b_wins",
    )
    .action((_, self: Command) => listContradictions(self.optsWithGlobals()));
  addResolveCommand(command);
}

async function listContradictions(options: ContradictionsOptions): Promise<void> {
  const { status } = options;
  const found = await withStoredMemory(options, async (memory) => {
    const contradictions = await memory.contradictions(status === "all" ? {} : { status });
    return withTexts(memory, contradictions);
  });
  printResult(options, found ?? [], () =>
    found === undefined ? nothingRemembered(options) : printContradictions(found, status),
  );
}

async function withTexts(
  memory: MemoryService,
  contradictions: readonly Contradiction[],
): Promise<readonly ShownContradiction[]> {
  const ids = new Set(contradictions.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]));
  const texts = new Map((await memory.get([...ids])).map(({ id, levels }) => [id, levels.full]));
  return contradictions.map((contradiction) => ({
    ...contradiction,
    textA: texts.get(contradiction.memoryA) ?? null,
    textB: texts.get(contradiction.memoryB) ?? null,
  }));
}

/** A contradiction with the texts of both memories. */
interface ShownContradiction extends Contradiction {
  readonly textA: string | null;
  readonly textB: string | null;
}

const SETTLED: Readonly<Record<Resolution, string>> = {
  a_wins: "a is true, b is not",
  b_wins: "b is true, a is not",
  both_valid: "both are true",
  merged: "merged into one memory",
};

function printContradictions(found: readonly ShownContradiction[], status: string): string {
  if (found.length === 0) return status === "open" ? "No open contradictions.\n" : "No contradictions.\n";
  const open = found.filter((one) => one.status === "open").length;
  const lines = [
    ...found.flatMap(printOne),
    open === 0 ? count(found.length, "contradiction") : `${count(open, "contradiction")} to resolve:`,
    ...(open === 0 ? [] : ["  throughline contradictions resolve ID --resolution a_wins|b_wins|both_valid|merged"]),
  ];
  return `${lines.join("\n")}\n`;
}

function printOne(contradiction: ShownContradiction): string[] {
  const { id, memoryA, memoryB, textA, textB, reason, detectedAt } = contradiction;
  const side = (name: string, text: string | null, of: string) =>
    `  ${name}    ${printableLine(text ?? "(deleted)")}  ${styleText("dim", printableLine(of))}`;
  return [
    styleText("bold", `${printableLine(id)} · found ${moment(detectedAt)}`),
    side("a", textA, memoryA),
    side("b", textB, memoryB),
    `  why  ${printableLine(reason)}`,
    ...(contradiction.status === "open" ? [] : [`  now  ${describeResolution(contradiction)}`]),
    "",
  ];
}

/** Describes a resolution. */
function describeResolution({ resolution, resolvedAt, note }: Contradiction): string {
  const words = [
    resolution === undefined ? "settled" : SETTLED[resolution],
    ...(resolvedAt === undefined ? [] : [moment(resolvedAt)]),
    ...(note === undefined ? [] : [printableLine(note)]),
  ];
  return words.join(" · ");
}

const RESOLUTIONS = ["a_wins", "b_wins", "both_valid", "merged"] as const satisfies readonly Resolution[];

interface ResolveOptions extends CommandOptions {
  readonly resolution: Resolution;
  readonly note?: string;
  readonly text?: string;
}

interface Resolved {
  readonly dryRun: boolean;
  readonly contradiction: Contradiction;
  /** Journal entry that undoes it. */
  readonly journalId: string | null;
}

function addResolveCommand(contradictions: Command): void {
  contradictions
    .command("resolve")
    .description("Resolve a contradiction. The rejected memory ends now; nothing is erased.")
    .argument("<id>", "Id, or a unique prefix of it, as `contradictions` prints it")
    .addOption(
      new Option("-r, --resolution <which>", "Which side is true, or merged for one new memory")
        .choices(RESOLUTIONS)
        .makeOptionMandatory(),
    )
    .option("--note <text>", "Reason, stored with the resolution")
    .option("--text <text>", "Text of the merged memory; requires --resolution merged")
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nExamples:\n  throughline contradictions resolve con_0mwhp5 -r b_wins --note "We moved."\n  throughline contradictions resolve con_0mwhp5 -r merged --text "Tea at home."',
    )
    .action((id: string, _, command: Command) => resolve(id, command.optsWithGlobals()));
}

async function resolve(named: string, options: ResolveOptions): Promise<void> {
  const { resolution, note, text, dryRun = false } = options;
  if (text !== undefined && resolution !== "merged") {
    throw new UsageError("--text requires --resolution merged.", "Remove --text, or use --resolution merged.");
  }
  const resolved = await withStoredMemory(options, async (memory): Promise<Resolved | undefined> => {
    const found = pickByPrefix(named, await memory.contradictions(), "contradictions");
    if (found === undefined) return undefined;
    if (found.status === "resolved") {
      throw new UsageError(
        `Cannot resolve ${found.id}: it is already resolved (${describeResolution(found)}).`,
        "To reopen it, undo its journal entry: `throughline undo ID`. `throughline journal` lists the entries.",
      );
    }
    if (dryRun) return { dryRun, contradiction: omitUndefined({ ...found, resolution, note }), journalId: null };
    const contradiction = await memory.resolve(found.id, omitUndefined({ resolution, note, text }));
    return { dryRun, contradiction, journalId: (await lastChangeOf(memory, found.id)) ?? null };
  });
  if (resolved === undefined) throw notFoundError(`contradiction ${named}`, "contradictions --status all", options);
  printResult(options, resolved, () => printResolved(resolved));
}

function printResolved({ dryRun, contradiction, journalId }: Resolved): string {
  const done = dryRun ? "would be resolved" : "resolved";
  const report = `${printableLine(contradiction.id)} ${done}: ${describeResolution(contradiction)}`;
  return `${[report, ...undoHint(journalId ?? undefined)].join("\n")}\n`;
}
