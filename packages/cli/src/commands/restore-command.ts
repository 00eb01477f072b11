import type { Command } from "commander";
import { NotFoundError } from "throughline";
import type { CommandOptions } from "../data/open-data.ts";
import { type FoundSession, withFoundSession } from "../data/stored-memory.ts";
import { dryRunOption, jsonOption } from "../terminal/options.ts";
import { count, printableLine, printResult } from "../terminal/print-values.ts";

export function addRestoreCommand(program: Command): void {
  program
    .command("restore")
    .summary("Undo a compaction")
    .description("Undo a compaction of a session, and the compactions that include it. Later messages stay.")
    .argument("<session>", "Session id, or a unique prefix of it")
    .argument("<compaction>", "Compaction id, as `compact` or `show` prints it")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline restore 0276a600 compaction-1")
    .action((id: string, event: string, _, command: Command) => restore(id, event, command.optsWithGlobals()));
}

async function restore(id: string, event: string, options: CommandOptions): Promise<void> {
  const { dryRun = false } = options;
  const restored = await withFoundSession(id, options, (session) => undo(session, event, dryRun));
  printResult(options, restored, () => describe(restored));
}

function describe({ compaction, dryRun, wasUndone, messages }: Restored): string {
  const name = printableLine(compaction);
  if (wasUndone) return `${name} was already undone.\n`;
  const [done, back] = dryRun ? ["would be undone", "would come back"] : ["is undone", "came back"];
  return `${name} ${done}: ${count(messages, "message")} ${back}.\n`;
}

interface Restored {
  readonly session: string;
  readonly compaction: string;
  readonly dryRun: boolean;
  /** True if the compaction was undone before: then nothing changes. */
  readonly wasUndone: boolean;
  /** Number of messages that come back: those that left the window with it. */
  readonly messages: number;
}

async function undo({ key, throughline }: FoundSession, event: string, dryRun: boolean): Promise<Restored> {
  const session = throughline.session(key.sessionId);
  const compactions = await session.compactions();
  // Handles use the short name of a compaction.
  const found = compactions.find(({ id }) => id === event || id === `${key.sessionId}/${event}`);
  if (found === undefined) {
    const advice = `List the compactions of the session with \`throughline show ${key.sessionId}\`.`;
    throw new NotFoundError(`Compaction id ${JSON.stringify(event)}`, `in session ${key.sessionId}`, advice);
  }
  const wasUndone = dryRun ? found.isUndone : !(await session.restore(found.id));
  const messages = wasUndone ? 0 : found.compactedMessageIds.length;
  return { session: key.sessionId, compaction: found.id, dryRun, wasUndone, messages };
}
