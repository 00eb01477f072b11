import path from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { refuseExcluded } from "../config/excluded-folders.ts";
import { type CommandOptions, withNewData, withTarget } from "../data/open-data.ts";
import { applyChange } from "../init/config-change.ts";
import { confirmChanges } from "../terminal/confirm.ts";
import { interruptible } from "../terminal/interruption.ts";
import { dirOption, dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { count, printableLine, printJson } from "../terminal/print-values.ts";
import { changedLines, colorLine, printDiff } from "../terminal/unified-diff.ts";
import { UsageError } from "../usage-error.ts";
import { type AgentFile, checkWritable, findAgentFile, isHiddenFromClaude } from "./agent-file.ts";
import type { MemoryChange } from "./plan-sync.ts";
import { changeMemories, type PlannedSync, planFile, recordSync } from "./sync-memories.ts";

interface SyncOptions extends CommandOptions {
  readonly dir?: string;
}

const HELP_FOOTER = `
Between the markers you can
  edit a line    the memory changes, and its history is kept
  delete a line  the memory is archived, and the line does not come back
  add a line     it becomes a shared memory of the project
  move a line
Text outside of the markers stays as it is. If a line and its memory both
changed since the last sync, both are kept. Left out: personal memories, those
of other projects, secrets, and paths in home folders. To stop, delete the block
with its markers; the memories stay.

Examples:
  throughline sync --dry-run
  throughline sync CLAUDE.md --yes`;

export function addSyncCommand(program: Command): void {
  program
    .command("sync")
    .summary("Sync AGENTS.md with memories")
    .description(
      "Write the rules, commands and decisions of a project into its AGENTS.md or CLAUDE.md, between two markers, " +
        "and read your edits there back into the memories. Shows all changes and asks first.",
    )
    .argument("[file]", "File to sync (default: AGENTS.md of the repository, or its CLAUDE.md)")
    .addOption(dirOption())
    .addOption(projectOption())
    .addOption(dryRunOption())
    .option("-y, --yes", "Do not ask for confirmation")
    .addOption(jsonOption())
    .addHelpText("after", HELP_FOOTER)
    .action((file: string | undefined, _, command: Command) => sync(file, command.optsWithGlobals()));
}

async function sync(named: string | undefined, options: SyncOptions): Promise<void> {
  const agentFile = await findAgentFile(named, options);
  refuseExcluded(agentFile.root);
  const inProject = { ...options, project: agentFile.project };
  const planned = await withTarget({ ...inProject, dryRun: true }, async (open) => planFile(await open(), agentFile));
  const isNeeded = planned.changes.length > 0 || planned.after !== agentFile.text;
  if (!options.json) process.stdout.write(isNeeded ? printPlan(agentFile, planned) : printInSync(agentFile, planned));
  const isMade = isNeeded && !options.dryRun && (await confirmChanges(options));
  if (isMade) await apply(agentFile, planned, inProject);
  if (options.json) process.stdout.write(printJson(toJson(agentFile, planned, { isNeeded, isMade, options })));
  else if (isNeeded) process.stdout.write(isMade ? await printDone(agentFile, planned) : "\nNothing was changed.\n");
}

async function apply(agentFile: AgentFile, planned: PlannedSync, options: SyncOptions): Promise<void> {
  const { file, text } = agentFile;
  const isWritten = planned.after !== text;
  if (isWritten) await checkWritable(file);
  await interruptible("Run the command again to complete the sync.", (signal) =>
    withNewData(options, async (open) => {
      const data = await open();
      if (!isSame(planned, await planFile(data, agentFile))) {
        throw new UsageError("The memories changed in the meantime. Nothing was changed.", "Run the command again.");
      }
      await changeMemories(data.throughline.memory, planned.changes, agentFile);
      if (isWritten) await applyChange({ file, before: text, after: planned.after }, signal);
      await recordSync(data, agentFile, planned);
    }),
  );
}

function isSame(shown: PlannedSync, now: PlannedSync): boolean {
  return shown.after === now.after && JSON.stringify(shown.changes) === JSON.stringify(now.changes);
}

function printPlan(agentFile: AgentFile, { changes, notes, after }: PlannedSync): string {
  const { file, text, name } = agentFile;
  const edits = changes.flatMap((change) => changeLines(change, name).map(colorLine));
  const parts = [
    ...(edits.length === 0 ? [] : [`--- memories\n+++ ${file}\n${edits.join("\n")}\n`]),
    ...(after === text ? [] : [printDiff({ file, before: text, after })]),
    ...(notes.length === 0 ? [] : [`${notes.map((note) => printableLine(note, 500)).join("\n")}\n`]),
  ];
  return parts.join("\n");
}

/** A change of memories as lines of a diff. */
function changeLines(change: MemoryChange, name: string): readonly string[] {
  const added = (line: number) => `@@ ${name}:${line} @@`;
  switch (change.action) {
    case "add":
      return [added(change.line), `+ ${change.text}`];
    case "change":
      return [added(change.line), `- ${change.from}`, `+ ${change.text}`];
    case "forget":
      return ["@@ deleted @@", `- ${change.text}`];
  }
}

function printInSync({ name, project }: AgentFile, { count: lines, notes }: PlannedSync): string {
  const state =
    lines === 0
      ? `No rules, commands or decisions of ${printableLine(project)} to write. Save one: \`throughline remember TEXT\`.`
      : `${name} is in sync: ${count(lines, "line")}.`;
  return `${[state, ...notes.map((note) => printableLine(note, 500))].join("\n")}\n`;
}

async function printDone(agentFile: AgentFile, { count: lines, changes, hasBlock }: PlannedSync): Promise<string> {
  const { name } = agentFile;
  const isNew = !hasBlock && (await isHiddenFromClaude(agentFile));
  const report = [
    "",
    `${name} is in sync: ${count(lines, "line")}${changes.length === 0 ? "" : `, ${describe(changes)}`}.`,
    ...(changes.length === 0 ? [] : ["List and undo changes of memories: throughline journal"]),
    ...(isNew ? [`Claude Code reads only CLAUDE.md: add the line @${path.posix.basename(name)} to it.`] : []),
  ];
  return `${report.join("\n")}\n`;
}

const DONE: Readonly<Record<MemoryChange["action"], string>> = {
  add: "added",
  change: "changed",
  forget: "archived",
};

/** "1 memory added, 2 archived". */
function describe(changes: readonly MemoryChange[]): string {
  const groups = Map.groupBy(changes, ({ action }) => DONE[action]);
  return [...groups]
    .map(([done, { length }], at) => `${at === 0 ? count(length, "memory", "memories") : length} ${done}`)
    .join(", ");
}

function toJson(
  { file, project, text }: AgentFile,
  { changes, notes, after, count: lines }: PlannedSync,
  {
    isNeeded,
    isMade,
    options,
  }: { readonly isNeeded: boolean; readonly isMade: boolean; readonly options: SyncOptions },
): object {
  return {
    file,
    project,
    existed: text !== undefined,
    needed: isNeeded,
    changed: isMade,
    dryRun: options.dryRun ?? false,
    lines,
    diff: after === text ? [] : changedLines({ file, before: text, after }),
    memories: changes.map((change) => ({
      action: change.action,
      text: change.text,
      ...(change.action === "change" && { from: change.from }),
      ...(change.action !== "forget" && { line: change.line }),
      ids: change.action === "add" ? [] : change.memories.map(({ id }) => id),
    })),
    notes,
  };
}
