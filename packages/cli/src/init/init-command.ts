import { stat } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";
import { UsageError } from "../usage-error.ts";
import { printAgentCommand } from "./agent-command.ts";
import { type ChangeOptions, nameOf, type Tool, withToolOptions } from "./agent-tool.ts";
import { type ConfigChange, missingFolders, readConfig } from "./config-change.ts";
import { type Configuration, configurationsOf } from "./configuration.ts";
import { digestOf, type InstallNote, readNote, writeNote } from "./install-notes.ts";
import { makeChanges } from "./make-changes.ts";
import { isTemporaryInstall, programCommand, shellLine } from "./program-path.ts";

const HELP_FOOTER = `
Files it writes (with --global, those of your user configuration):
  claude-code  hooks in .claude/settings.json, server in .mcp.json, .claude/skills/
  codex        hooks in .codex/hooks.json, .agents/skills/
  opencode     plugin in .opencode/plugins/, server in opencode.json, .opencode/skills/
  gemini-cli   hooks and server in .gemini/settings.json, .gemini/skills/
  cursor       server in .cursor/mcp.json, .cursor/skills/
  vscode       server in .vscode/mcp.json, .github/skills/
Hooks and the plugin give the agent memories of the project when a session starts, and
the record of the session around a compaction. When a session ends, they store what you
said, on this machine. The MCP server (\`throughline mcp\`) gives the agent's model tools
to search and save memories. The skill is the command /remember (Codex: $remember).
Your own files stay. \`throughline uninstall AGENT\` removes all of it.

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
  if (!isFolder) throw new UsageError(`Not a folder: ${dir}`, "Give the folder of a project with --dir.");
}
