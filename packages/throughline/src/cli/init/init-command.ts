import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import process from "node:process";
import type { Command } from "commander";
import { type Agent, claudeCodeHooks, codexHooks } from "../../integrations/agent-hooks.ts";
import { addHooks } from "../../integrations/hook-file.ts";
import type { Insertion } from "../../integrations/jsonc/edit-jsonc.ts";
import { isOurPlugin, opencodePlugin } from "../../integrations/opencode-plugin.ts";
import { UsageError } from "../usage-error.ts";
import { type ChangeOptions, configFile, nameOf, reachable, withToolOptions } from "./agent-tool.ts";
import { missingFolders, readConfig } from "./config-change.ts";
import { ConfigError } from "./config-error.ts";
import { digestOf, type InstallNote, readNote, writeNote } from "./install-notes.ts";
import { makeChange } from "./make-change.ts";
import { inShell, isPassing, ourProgram } from "./our-program.ts";
import { withoutOurs } from "./without-ours.ts";

export function addInitCommand(program: Command): void {
  withToolOptions(
    program
      .command("init")
      .summary("let a coding agent remember; undo with uninstall")
      .description("tell a coding agent to call us: it shows what would change in the agent's configuration, and asks"),
  )
    .addHelpText("after", AFTERWORD)
    .action((tool: Agent, _, command: Command) => init(tool, command.optsWithGlobals()));
}

const AFTERWORD = `
What it writes:
  claude-code  hooks in .claude/settings.json    codex  hooks in .codex/hooks.json
  opencode     a plugin in .opencode/plugins/    cursor, vscode  nothing yet
When a session starts, the agent is given what is remembered of the folder; before a
compaction, or behind it, the record of the session; at its end, what you said is
remembered here, on this machine. \`throughline uninstall TOOL\` takes it out again.

Examples:
  throughline init claude-code
  throughline init codex --user --dry-run`;

async function init(tool: Agent, options: ChangeOptions): Promise<void> {
  const agent = reachable(tool, options);
  if (agent === undefined) return;
  await checkFolder(options);
  const file = configFile(agent, options, { platform: process.platform, env: process.env, home: homedir() });
  const before = await readConfig(file);
  const noted = await readNote(file, options);
  const { after, insertions } = plan(agent, file, before, noted, options);
  const isNew = before === undefined;
  const folders = isNew ? await missingFolders(file) : (noted?.folders ?? []);
  const note = { file, created: isNew || (noted?.created ?? false), folders, insertions, left: digestOf(after) };
  await makeChange(
    {
      tool,
      change: { file, before, after },
      unchanged: `${nameOf(agent)} is set up already, in ${file}.`,
      done: [`${nameOf(agent)} is set up, from its next session on. Undo: ${undoOf(agent, options)}`, ...ADVICE[agent]],
      // Before the file: what is written can be taken out then, whatever happens.
      prepare: () => writeNote(file, note, options),
    },
    options,
  );
  if (isPassing()) process.stderr.write("This copy is npx's own and may go; npm install -g throughline keeps it.\n");
}

const ADVICE: Readonly<Record<Agent, readonly string[]>> = {
  "claude-code": [],
  codex: ["Codex runs new hooks once you trust them: open /hooks in it."],
  opencode: [],
};

function undoOf(agent: Agent, { user, dir }: ChangeOptions): string {
  const where = user ? " --user" : dir === undefined ? "" : ` --dir ${inShell([dir])}`;
  return `throughline uninstall ${agent}${where}`;
}

async function checkFolder({ dir }: ChangeOptions): Promise<void> {
  if (dir === undefined || dir === "") return;
  const isFolder = await stat(dir).then(
    (there) => there.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`${dir} is no folder.`, "Give the folder of a project.");
}

interface Planned {
  readonly after: string;
  readonly insertions: readonly Insertion[];
}

function plan(
  agent: Agent,
  file: string,
  before: string | undefined,
  noted: InstallNote | undefined,
  options: ChangeOptions,
): Planned {
  const program = ourProgram(options);
  if (agent === "opencode") {
    if (before !== undefined && !isOurPlugin(before)) {
      throw new ConfigError(file, "There is a plugin of this name that is not ours.", "Move it away first.");
    }
    return { after: opencodePlugin(program), insertions: [] };
  }
  const hooks = agent === "codex" ? codexHooks(inShell(program)) : claudeCodeHooks(inShell(program));
  const added = addHooks(before ?? "", hooks);
  if (added.text === undefined) throw new ConfigError(file, added.problem, "Mend it first; it is as it was.");
  if (added.text === before || noted === undefined) return { after: added.text, insertions: added.insertions };
  // What we wrote before goes out byte for byte, so that it still can when all of it is taken out.
  const again = addHooks(withoutOurs(before ?? "", noted), hooks);
  return again.text === undefined
    ? { after: added.text, insertions: added.insertions }
    : { after: again.text, insertions: again.insertions };
}
