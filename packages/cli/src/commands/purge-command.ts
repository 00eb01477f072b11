import process from "node:process";
import type { Command } from "commander";
import { type FoundSession, withFoundSession } from "../data/find-session.ts";
import { type DataOptions, LOCAL_USER } from "../data/open-data.ts";
import { count } from "../terminal/print-values.ts";
import { dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { printableLine } from "../terminal/printable.ts";
import { confirm, eraseWords } from "../terminal/confirm.ts";
import { UsageError } from "../usage-error.ts";
import { purgeMemory } from "./purge-by-id.ts";

interface PurgeOptions extends DataOptions {
  readonly memory?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addPurgeCommand(program: Command): void {
  program
    .command("purge")
    .summary("Erase a session or memory")
    .description(
      "Erase a session with everything learned from it, or one memory, permanently. `forget` can be undone, this cannot.",
    )
    .argument("[session]", "Full session id")
    .option("--memory <id>", "Erase this memory or utterance, by its full id, with the sources of the memory")
    .addOption(projectOption("Only if the memory is in this project (default: any project)"))
    .addOption(dryRunOption())
    .option("-y, --yes", "Do not ask for confirmation")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline purge 0276a600-2f22-4f5e-9d5e-1c2b3a4d5e6f --yes\n  throughline purge --memory mem_0mwhp5h4cf5d6f19e077dc9c2",
    )
    .action((id: string | undefined, _, command: Command) => purge(id, command.optsWithGlobals()));
}

async function purge(session: string | undefined, options: PurgeOptions): Promise<void> {
  const { memory } = options;
  if (session !== undefined && memory === undefined) return purgeSession(session, options);
  if (session === undefined && memory !== undefined) return purgeMemory(memory, options);
  throw new UsageError(
    session === undefined
      ? "Nothing to erase: no session and no memory given."
      : "Cannot erase a session and a memory in one command.",
    "Give the id of a session, or --memory with the id of a memory.",
  );
}

async function purgeSession(id: string, options: PurgeOptions): Promise<void> {
  const name = printableLine(id);
  const { dryRun = false } = options;
  const outcome = await withFoundSession(id, { ...options, exact: true }, async (kept) => {
    const { head, turns } = kept;
    const messages = Math.max(head.appended, turns);
    const question = `Erase session ${name}, its ${count(messages, "message")} and everything learned from it permanently? [y/N] `;
    const purged = !dryRun && (options.yes || (await confirm(question, eraseWords("session"))));
    if (purged) await erase(id, kept);
    return { purged, messages: purged || dryRun ? messages : 0 };
  });
  const { purged, messages } = outcome;
  const what = `session ${name} with ${count(messages, "message")}`;
  const would = dryRun ? `Would erase ${what} and everything learned from it. ` : "";
  const report = purged ? `Erased ${what}.` : `${would}Nothing was erased.`;
  process.stdout.write(options.json ? printJson({ session: id, dryRun, purged, messages }) : `${report}\n`);
}

/** Erases a session, and the copies of its text in stored responses of a server. */
async function erase(id: string, { store, throughline }: FoundSession): Promise<void> {
  const { eraseStoredSession } = await import("@throughline/server");
  await eraseStoredSession({ documents: store.documents, userId: LOCAL_USER, throughline }, id);
  await store.server.answers.erase({ owner: LOCAL_USER });
}
