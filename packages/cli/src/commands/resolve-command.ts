import process from "node:process";
import { type Command, Option } from "commander";
import type { Contradiction } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { Resolution } from "throughline/memory";
import type { DataOptions } from "../data/open-data.ts";
import { notFoundError, pickByPrefix, withStoredMemory } from "../data/stored-memory.ts";
import { lastChangeOf, undoHint } from "./describe-memory.ts";
import { allProjectsOption, dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { printableLine } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import { describeResolution } from "./print-contradictions.ts";

const RESOLUTIONS = ["a_wins", "b_wins", "both_valid", "merged"] as const satisfies readonly Resolution[];

interface ResolveOptions extends DataOptions {
  readonly resolution: Resolution;
  readonly note?: string;
  readonly text?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Resolved {
  readonly dryRun: boolean;
  readonly contradiction: Contradiction;
  /** Journal entry that undoes it. */
  readonly journalId: string | null;
}

export function addResolveCommand(contradictions: Command): void {
  contradictions
    .command("resolve")
    .description("Resolve a contradiction. The losing memory is closed as of now; nothing is erased.")
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
      '\nExamples:\n  throughline contradictions resolve con_0mwhp5 --resolution b_wins --note "We moved in May."\n  throughline contradictions resolve con_0mwhp5 -r merged --text "Tea at home, coffee at work."',
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
        `${found.id} is already resolved: ${describeResolution(found)}.`,
        "`throughline undo` with its journal entry reopens it; `throughline journal` lists the entries.",
      );
    }
    if (dryRun) return { dryRun, contradiction: omitUndefined({ ...found, resolution, note }), journalId: null };
    const contradiction = await memory.resolve(found.id, omitUndefined({ resolution, note, text }));
    return { dryRun, contradiction, journalId: (await lastChangeOf(memory, found.id)) ?? null };
  });
  if (resolved === undefined) throw notFoundError(`contradiction ${named}`, "contradictions --status all", options);
  process.stdout.write(options.json ? printJson(resolved) : printResolved(resolved));
}

function printResolved({ dryRun, contradiction, journalId }: Resolved): string {
  const done = dryRun ? "would be resolved" : "resolved";
  const report = `${printableLine(contradiction.id)} ${done}: ${describeResolution(contradiction)}`;
  return `${[report, ...undoHint(journalId ?? undefined)].join("\n")}\n`;
}
