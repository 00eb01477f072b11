import process from "node:process";
import type { Command } from "commander";
import { count } from "../amounts.ts";
import { type KeptSession, withKeptSession } from "../data/find-session.ts";
import type { DataOptions } from "../data/open-data.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";

interface RestoreOptions extends DataOptions {
  readonly json?: boolean;
}

export function addRestoreCommand(program: Command): void {
  program
    .command("restore")
    .summary("undo a compaction of a session")
    .description("undo a compaction of a session, and those over it; what came since stays")
    .argument("<session>", "its id, or the beginning of it")
    .argument("<event>", "the compaction, as `compact` or `show` names it")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline restore 0276a600 compaction-1")
    .action((id: string, event: string, _, command: Command) => restore(id, event, command.optsWithGlobals()));
}

async function restore(id: string, event: string, options: RestoreOptions): Promise<void> {
  const restored = await withKeptSession(id, options, (session) => undo(session, event));
  const said = `${printableLine(restored.compaction)} is undone: ${count(restored.messages, "message")} came back.\n`;
  process.stdout.write(options.json ? printJson(restored) : said);
}

interface Restored {
  readonly session: string;
  readonly compaction: string;
  /** How many left the window with it. */
  readonly messages: number;
}

async function undo({ key, throughline }: KeptSession, event: string): Promise<Restored> {
  const session = throughline.session(key.sessionId);
  const compactions = await session.compactions();
  // As a handle, a compaction goes by its short name too.
  const found = compactions.find(({ id }) => id === event || id === `${key.sessionId}/${event}`);
  await session.restore(found?.id ?? event);
  return { session: key.sessionId, compaction: found?.id ?? event, messages: found?.compactedMessageIds.length ?? 0 };
}
