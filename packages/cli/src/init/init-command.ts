import { stat } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";
import { UsageError } from "../usage-error.ts";
import { printAgentCommand } from "./agent-command.ts";
import { type ChangeOptions, nameOf, type Tool, withToolOptions } from "./agent-tool.ts";
import { missingFolders, readConfig } from "./config-change.ts";
import { configurationOf } from "./configuration.ts";
import { digestOf, readNote, writeNote } from "./install-notes.ts";
import { makeChange } from "./make-change.ts";
import { isTemporaryInstall, shellLine } from "./program-path.ts";

export function addInitCommand(program: Command): void {
  withToolOptions(
    program
      .command("init")
      .summary("Set up an agent (undo: uninstall)")
      .description(
        "Set up a coding agent to use Throughline. Shows the change to the agent's configuration and asks first.",
      ),
  )
    .addHelpText("after", AFTERWORD)
    .action((tool: Tool, _, command: Command) => init(tool, command.optsWithGlobals()));
}

const AFTERWORD = `
Files it writes:
  claude-code  hooks in .claude/settings.json    codex   hooks in .codex/hooks.json
  opencode     plugin in .opencode/plugins/      cursor  server in .cursor/mcp.json
  vscode       server in .vscode/mcp.json
  --mcp        claude-code: server in .mcp.json; opencode: server in opencode.json
Hooks and the plugin give the agent memories of the project when a session starts, and
the record of the session around a compaction. When a session ends, they store what you
said, on this machine. The MCP server (\`throughline mcp\`) gives the agent's model tools
to search and save memories. You can use both. \`throughline uninstall AGENT\` removes them.

Examples:
  throughline init claude-code
  throughline init vscode --dry-run
  throughline init codex --global`;

async function init(tool: Tool, options: ChangeOptions): Promise<void> {
  if (printAgentCommand("init", tool, options)) return;
  await checkFolder(options);
  const { file, advice, add } = configurationOf(tool, options);
  const before = await readConfig(file);
  const noted = await readNote(file, options);
  const { after, insertions } = add(before, noted);
  const isNew = before === undefined;
  const folders = isNew ? await missingFolders(file) : (noted?.folders ?? []);
  const note = { file, created: isNew || (noted?.created ?? false), folders, insertions, left: digestOf(after) };
  await makeChange(
    {
      tool,
      change: { file, before, after },
      unchanged: `${nameOf(tool)} is already set up, in ${file}.`,
      done: [
        `${nameOf(tool)} is set up and takes effect in its next session. Undo: ${undoOf(tool, options)}`,
        ...advice,
      ],
      // Written before the file, so that the change can always be undone.
      prepare: () => writeNote(file, note, options),
    },
    options,
  );
  if (isTemporaryInstall())
    process.stderr.write(
      "This is a temporary npx copy and may be deleted. Install it permanently: npm install -g throughline\n",
    );
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
