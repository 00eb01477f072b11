import { stat } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";
import { confirmChanges } from "../terminal/confirm.ts";
import { interruptible } from "../terminal/interruption.ts";
import { printJson } from "../terminal/print-values.ts";
import { changedLines, printDiff } from "../terminal/unified-diff.ts";
import { UsageError } from "../usage-error.ts";
import {
  type ChangeOptions,
  nameOf,
  printAgentCommand,
  serverCommand,
  type Tool,
  withToolOptions,
} from "./agent-tool.ts";
import {
  applyChange,
  type ConfigChange,
  digestOf,
  type InstallNote,
  missingFolders,
  readConfig,
  readNote,
  removeFolders,
  writeNote,
} from "./config-change.ts";
import { type Configuration, configurationsOf } from "./configuration.ts";
import { isTemporaryInstall, programCommand, shellLine } from "./program-path.ts";

const HELP_FOOTER = `
Files it writes (with --global, those of your user configuration):
  claude-code  hooks: .claude/settings.json, server: .mcp.json
  codex        hooks: .codex/hooks.json
  opencode     plugin: .opencode/plugins/, server: opencode.json
  gemini-cli   hooks and server: .gemini/settings.json
  cursor       server: .cursor/mcp.json
  vscode       server: .vscode/mcp.json
and the skill /remember (Codex: $remember), in the agent's folder for skills.

Hooks and the plugin give the agent memories of the project when a session
starts, and the record of the session around a compaction. When a session ends,
they store your messages on this machine. The server (\`throughline mcp\`) gives
the agent's model tools to search and save memories. Your own files stay.

Examples:
  throughline init claude-code
  throughline init vscode --dry-run
  throughline init codex --global`;

const PATHS_OF_THIS_MACHINE =
  "These files contain paths of this machine, because `throughline` is not on your PATH. Install it globally and run this again before you share them.";

export function addInitCommand(program: Command): void {
  withToolOptions(
    program
      .command("init")
      .summary("Set up an agent (undo: uninstall)")
      .description(
        "Set up a coding agent to use Throughline. Shows the change to the agent's configuration and asks first.",
      ),
  )
    .addHelpText("after", HELP_FOOTER)
    .action((tool: Tool, _, command: Command) => init(tool, command.optsWithGlobals()));
}

async function init(tool: Tool, options: ChangeOptions): Promise<void> {
  if (printAgentCommand("init", tool, options)) return;
  await checkFolder(options);
  const configurations = configurationsOf(tool, options);
  const planned = await Promise.all(configurations.map((one) => planAddition(one, options)));
  const changes = planned.map(({ change }) => change);
  await makeChanges(
    {
      tool,
      changes,
      unchanged: `${nameOf(tool)} is already set up, in ${changes.map(({ file }) => file).join(", ")}.`,
      done: [
        `${nameOf(tool)} is set up and takes effect in its next session. Undo: ${undoOf(tool, options)}`,
        ...configurations.flatMap(({ advice }) => advice),
        ...(options.global || programCommand({}).length === 1 ? [] : [PATHS_OF_THIS_MACHINE]),
      ],
      kept: planned.flatMap(({ kept }) => kept ?? []),
      // Written before the file, so that the change can always be undone.
      prepare: ({ file }) => writeNote(file, planned.find(({ change }) => change.file === file)?.note, options),
    },
    options,
  );
  if (isTemporaryInstall())
    process.stderr.write(
      "This is a temporary npx copy and may be deleted. Install it permanently: npm install -g throughline\n",
    );
}

interface PlannedAddition {
  readonly change: ConfigChange;
  readonly note: InstallNote;
  readonly kept: string | undefined;
}

/** @throws ConfigError if the file must not be changed */
async function planAddition({ file, add }: Configuration, options: ChangeOptions): Promise<PlannedAddition> {
  const before = await readConfig(file);
  const noted = await readNote(file, options);
  const { after, insertions = [], kept } = add(before, noted);
  const isNew = before === undefined;
  const folders = isNew ? await missingFolders(file) : (noted?.folders ?? []);
  const created = isNew || (noted?.created ?? false);
  return {
    change: { file, before, after },
    note: { file, created, folders, insertions, left: digestOf(after ?? "") },
    kept,
  };
}

function undoOf(tool: Tool, { global: isGlobal, dir, mcp }: ChangeOptions): string {
  const where = isGlobal ? " --global" : dir === undefined ? "" : ` --dir ${shellLine([dir])}`;
  return `throughline uninstall ${tool}${mcp ? " --mcp" : ""}${where}`;
}

async function checkFolder({ dir }: ChangeOptions): Promise<void> {
  if (dir === undefined || dir === "") return;
  const isFolder = await stat(dir).then(
    (there) => there.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`Not a folder: ${dir}.`, "Give the folder of a project with --dir.");
}

export function addUninstallCommand(program: Command): void {
  withToolOptions(
    program
      .command("uninstall")
      .summary("Remove what `init` wrote")
      .description("Remove what `init` wrote from an agent's configuration. Memories stay."),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  throughline uninstall claude-code\n  throughline uninstall codex --global --yes",
    )
    .action((tool: Tool, _, command: Command) => uninstall(tool, command.optsWithGlobals()));
}

async function uninstall(tool: Tool, options: ChangeOptions): Promise<void> {
  if (printAgentCommand("uninstall", tool, options)) return;
  const planned = await Promise.all(configurationsOf(tool, options).map((one) => planRemoval(one, options)));
  const changes = planned.map(({ change }) => change);
  const command = serverCommand(tool, options);
  await makeChanges(
    {
      tool,
      changes,
      unchanged: `Nothing to remove: no Throughline entries in ${changes.map(({ file }) => file).join(", ")}.`,
      done: [
        `${nameOf(tool)} no longer uses Throughline, from its next session on. Your memories are kept.`,
        ...(command === undefined ? [] : [`If you added the memory tools, remove them too: ${command.uninstall}`]),
      ],
      kept: planned.flatMap(({ kept }) => kept ?? []),
      finish: async ({ file, after }) => {
        const note = planned.find(({ change }) => change.file === file)?.note;
        if (after === undefined) await removeFolders(note?.folders ?? []);
        await writeNote(file, undefined, options);
      },
    },
    options,
  );
}

interface PlannedRemoval {
  readonly change: ConfigChange;
  readonly note: InstallNote | undefined;
  readonly kept: string | undefined;
}

/** @throws ConfigError if the file must not be changed */
async function planRemoval({ file, remove }: Configuration, options: ChangeOptions): Promise<PlannedRemoval> {
  const before = await readConfig(file);
  const note = await readNote(file, options);
  const { after, kept } = before === undefined ? { after: undefined, kept: undefined } : remove(before, note);
  return { change: { file, before, after }, note, kept };
}

/** Changes that are shown, confirmed and applied. */
interface ShownChanges {
  readonly tool: string;
  readonly changes: readonly ConfigChange[];
  /** Message if nothing has to change, and messages after the change. */
  readonly unchanged: string;
  readonly done: readonly string[];
  /** Messages about files that stay as they are. */
  readonly kept: readonly string[];
  /** Called before a file is written, and after it. */
  readonly prepare?: (change: ConfigChange) => Promise<void>;
  readonly finish?: (change: ConfigChange) => Promise<void>;
}

/** Shows changes, asks for confirmation, and applies them. */
async function makeChanges(shown: ShownChanges, options: ChangeOptions): Promise<void> {
  const { tool, changes, unchanged, done, kept } = shown;
  const needed = changes.filter(({ before, after }) => before !== after);
  const isNeeded = needed.length > 0;
  if (!options.json) process.stdout.write(isNeeded ? needed.map(printDiff).join("\n") : `${unchanged}\n`);
  const isMade = isNeeded && !options.dryRun && (await confirmChanges(options));
  if (isMade) await applyAll(needed, shown);
  if (options.json) {
    const files = changes.map(({ file, before, after }) => ({
      file,
      existed: before !== undefined,
      needed: before !== after,
      diff: changedLines({ file, before, after }),
    }));
    const report = { tool, needed: isNeeded, changed: isMade, dryRun: options.dryRun ?? false };
    process.stdout.write(printJson({ ...report, files, kept }));
    return;
  }
  const messages = isNeeded ? ["", ...(isMade ? done : ["Nothing was changed."])] : [];
  const lines = [...messages, ...kept];
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

async function applyAll(
  changes: readonly ConfigChange[],
  { prepare, finish }: Pick<ShownChanges, "prepare" | "finish">,
): Promise<void> {
  await interruptible("Run the command again to complete the change.", async (signal) => {
    for (const change of changes) {
      signal.throwIfAborted();
      await prepare?.(change);
      await applyChange(change, signal);
      await finish?.(change);
    }
  });
}
