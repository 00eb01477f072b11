import type { Command } from "commander";
import { printAgentCommand } from "../init/agent-command.ts";
import { type ChangeOptions, nameOf, type Tool, withToolOptions } from "../init/agent-tool.ts";
import { readConfig, removeFolders } from "../init/config-change.ts";
import { configurationOf } from "../init/configuration.ts";
import { readNote, writeNote } from "../init/install-notes.ts";
import { makeChange } from "../init/make-change.ts";

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
  const { file, remove } = configurationOf(tool, options);
  const before = await readConfig(file);
  const note = await readNote(file, options);
  const after = before === undefined ? undefined : remove(before, note);
  await makeChange(
    {
      tool,
      change: { file, before, after },
      unchanged: `Nothing to remove: ${file} has no Throughline entries.`,
      done: [`${nameOf(tool)} no longer uses Throughline, from its next session on. Your memories are kept.`],
      finish: async () => {
        if (after === undefined) await removeFolders(note?.folders ?? []);
        await writeNote(file, undefined, options);
      },
    },
    options,
  );
}
