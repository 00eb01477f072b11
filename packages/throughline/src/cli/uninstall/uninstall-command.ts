import { homedir } from "node:os";
import process from "node:process";
import type { Command } from "commander";
import type { Agent } from "../../integrations/agent-hooks.ts";
import { problemWith } from "../../integrations/hook-file.ts";
import { isOurPlugin, opencodePlugin } from "../../integrations/opencode-plugin.ts";
import { type ChangeOptions, configFile, nameOf, reachable, withToolOptions } from "../init/agent-tool.ts";
import { readConfig, removeFolders } from "../init/config-change.ts";
import { ConfigError } from "../init/config-error.ts";
import { digestOf, type InstallNote, readNote, writeNote } from "../init/install-notes.ts";
import { makeChange } from "../init/make-change.ts";
import { ourProgram } from "../init/our-program.ts";
import { withoutOurs } from "../init/without-ours.ts";

export function addUninstallCommand(program: Command): void {
  withToolOptions(
    program
      .command("uninstall")
      .summary("take out what `init` wrote")
      .description("take what `init` wrote out of an agent's configuration again; what is remembered stays"),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  throughline uninstall claude-code\n  throughline uninstall codex --user --yes",
    )
    .action((tool: Agent, _, command: Command) => uninstall(tool, command.optsWithGlobals()));
}

async function uninstall(tool: Agent, options: ChangeOptions): Promise<void> {
  const agent = reachable(tool, options);
  if (agent === undefined) return;
  const file = configFile(agent, options, { platform: process.platform, env: process.env, home: homedir() });
  const before = await readConfig(file);
  const note = await readNote(file, options);
  const after = before === undefined ? undefined : plan(agent, file, before, note, options);
  await makeChange(
    {
      tool,
      change: { file, before, after },
      unchanged: `There is nothing of ours in ${file}.`,
      done: [`${nameOf(agent)} does not call us any more, from its next session on. What is remembered stays.`],
      finish: async () => {
        if (after === undefined) await removeFolders(note?.folders ?? []);
        await writeNote(file, undefined, options);
      },
    },
    options,
  );
}

/** What is left of the file; `undefined` where that is nothing. */
function plan(
  agent: Agent,
  file: string,
  before: string,
  note: InstallNote | undefined,
  options: ChangeOptions,
): string | undefined {
  if (agent === "opencode") {
    if (!isOurPlugin(before)) return before;
    if (before === opencodePlugin(ourProgram(options)) || note?.left === digestOf(before)) return undefined;
    throw new ConfigError(file, "It was changed since we wrote it.", "Look at it, and delete it yourself.");
  }
  const problem = before.trim() === "" ? undefined : problemWith(before);
  if (problem !== undefined) throw new ConfigError(file, problem, "Mend it first; it is as it was.");
  const after = withoutOurs(before, note);
  const isNothing = after.trim() === "" || /^\s*\{\s*\}\s*$/.test(after);
  return note?.created && after !== before && isNothing ? undefined : after;
}
