import type { Command } from "commander";
import { printAgentCommand, serverCommand } from "./agent-command.ts";
import { type ChangeOptions, nameOf, type Tool, withToolOptions } from "./agent-tool.ts";
import { type ConfigChange, readConfig, removeFolders } from "./config-change.ts";
import { type Configuration, configurationsOf } from "./configuration.ts";
import { type InstallNote, readNote, writeNote } from "./install-notes.ts";
import { makeChanges } from "./make-changes.ts";

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
