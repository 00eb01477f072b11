import { stat } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";
import { UsageError } from "../usage-error.ts";
import { type ChangeOptions, nameOf, type Tool, withToolOptions } from "./agent-tool.ts";
import { missingFolders, readConfig } from "./config-change.ts";
import { configurationOf } from "./configuration.ts";
import { digestOf, readNote, writeNote } from "./install-notes.ts";
import { makeChange } from "./make-change.ts";
import { inShell, isPassing } from "./program-path.ts";
import { isByItsOwnCommand } from "./self-configuring.ts";

export function addInitCommand(program: Command): void {
  withToolOptions(
    program
      .command("init")
      .summary("set up an agent (undo: uninstall)")
      .description("tell a coding agent to call us: it shows what would change in the agent's configuration, and asks"),
  )
    .addHelpText("after", AFTERWORD)
    .action((tool: Tool, _, command: Command) => init(tool, command.optsWithGlobals()));
}

const AFTERWORD = `
What it writes:
  claude-code  hooks in .claude/settings.json    codex   hooks in .codex/hooks.json
  opencode     a plugin in .opencode/plugins/    cursor  a server in .cursor/mcp.json
  vscode       a server in .vscode/mcp.json
  --mcp        claude-code: a server in .mcp.json; opencode: one in opencode.json
Hooks and the plugin: when a session starts, the agent is given what is remembered of
the folder; before a compaction, or behind it, the record of the session; at its end,
what you said is remembered here, on this machine. A server (\`throughline mcp\`): the
agent's model looks things up and remembers by itself, with tools. Both may be used.
\`throughline uninstall TOOL\` takes it out again.

Examples:
  throughline init claude-code
  throughline init vscode --dry-run
  throughline init codex --user`;

async function init(tool: Tool, options: ChangeOptions): Promise<void> {
  if (isByItsOwnCommand("init", tool, options)) return;
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
      unchanged: `${nameOf(tool)} is set up already, in ${file}.`,
      done: [`${nameOf(tool)} is set up, from its next session on. Undo: ${undoOf(tool, options)}`, ...advice],
      // Before the file: what is written can be taken out then, whatever happens.
      prepare: () => writeNote(file, note, options),
    },
    options,
  );
  if (isPassing()) process.stderr.write("This copy is npx's own and may go; npm install -g throughline keeps it.\n");
}

function undoOf(tool: Tool, { user, dir, mcp }: ChangeOptions): string {
  const where = user ? " --user" : dir === undefined ? "" : ` --dir ${inShell([dir])}`;
  return `throughline uninstall ${tool}${mcp ? " --mcp" : ""}${where}`;
}

async function checkFolder({ dir }: ChangeOptions): Promise<void> {
  if (dir === undefined || dir === "") return;
  const isFolder = await stat(dir).then(
    (there) => there.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`${dir} is no folder.`, "Give the folder of a project.");
}
