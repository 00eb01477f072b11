import type { Command } from "commander";
import { type ChangeOptions, nameOf, type Tool, withToolOptions } from "../init/agent-tool.ts";
import { readConfig, removeFolders } from "../init/config-change.ts";
import { configurationOf } from "../init/configuration.ts";
import { readNote, writeNote } from "../init/install-notes.ts";
import { makeChange } from "../init/make-change.ts";
import { isByItsOwnCommand } from "../init/self-configuring.ts";

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
    .action((tool: Tool, _, command: Command) => uninstall(tool, command.optsWithGlobals()));
}

async function uninstall(tool: Tool, options: ChangeOptions): Promise<void> {
  if (isByItsOwnCommand("uninstall", tool, options)) return;
  const { file, remove } = configurationOf(tool, options);
  const before = await readConfig(file);
  const note = await readNote(file, options);
  const after = before === undefined ? undefined : remove(before, note);
  await makeChange(
    {
      tool,
      change: { file, before, after },
      unchanged: `There is nothing of ours in ${file}.`,
      done: [`${nameOf(tool)} does not call us any more, from its next session on. What is remembered stays.`],
      finish: async () => {
        if (after === undefined) await removeFolders(note?.folders ?? []);
        await writeNote(file, undefined, options);
      },
    },
    options,
  );
}
