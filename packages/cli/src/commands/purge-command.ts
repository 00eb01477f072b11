import type { Command } from "commander";
import { type OpenMemory, spaceOf } from "throughline/internal/engine";
import type { ErasureReport } from "throughline/store";
import { type CommandOptions, LOCAL_USER, type StoredData } from "../data/open-data.ts";
import { type FoundSession, notFoundError, withFoundSession, withStoredMemory } from "../data/stored-memory.ts";
import { confirm, eraseWords } from "../terminal/confirm.ts";
import { dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { count, printableLine, printResult } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

interface PurgeOptions extends CommandOptions {
  readonly memory?: string;
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
  printResult(options, { session: id, dryRun, purged, messages }, () => `${report}\n`);
}

/** Erases a session, and the copies of its text in stored responses of a server. */
async function erase(id: string, { store, throughline }: FoundSession): Promise<void> {
  const { eraseStoredSession } = await import("@throughline/server");
  await eraseStoredSession({ documents: store.documents, userId: LOCAL_USER, throughline }, id);
  await store.server.answers.erase({ owner: LOCAL_USER });
}

/** Erases a memory or an utterance by its full id. */
async function purgeMemory(id: string, options: CommandOptions): Promise<void> {
  const { dryRun = false } = options;
  const outcome = await withStoredMemory(options, async (memory, data) => {
    const found = await findErasable(id, data);
    if (found === undefined) return undefined;
    const question = `Erase ${found.what} “${printableLine(found.text)}” permanently? [y/N] `;
    const isSure = !dryRun && (options.yes || (await confirm(question, eraseWords("memory"))));
    if (!isSure) return { found, erased: null };
    const erased = await memory.purge(id);
    // Stored responses of a server may repeat the text: to any user, if the memory is shared.
    await data.store.server.answers.erase(found.isShared ? {} : { owner: LOCAL_USER });
    return { found, erased };
  });
  if (outcome === undefined) throw notFoundError(`memory ${id}`, "memories --all", options);
  const { found, erased } = outcome;
  const would = dryRun ? `Would erase ${found.what} “${printableLine(found.text)}”.\n` : "";
  printResult(
    options,
    { memory: id, dryRun, purged: erased !== null, erased },
    () => `${would}${printErased(id, erased)}`,
  );
}

interface Found {
  readonly what: string;
  readonly text: string;
  readonly isShared: boolean;
}

async function findErasable(id: string, { store, throughline }: StoredData<OpenMemory>): Promise<Found | undefined> {
  const memory = await throughline.memory.get(id);
  if (memory !== undefined) {
    const isShared = memory.scope !== "user-private";
    return { what: "the memory and its sources,", text: memory.levels.full, isShared };
  }
  const space = spaceOf("user-private", { userId: LOCAL_USER, projectId: undefined });
  const [turn] = await store.memories.get(space, "turns", [id]);
  return turn && { what: "the utterance and the memories extracted from it,", text: turn.text, isShared: false };
}

function printErased(id: string, erased: ErasureReport | null): string {
  if (erased === null) return "Nothing was erased.\n";
  const { memories, turns } = erased;
  return `Erased ${printableLine(id)}: ${count(memories, "memory", "memories")}, ${count(turns, "utterance")} and their journal entries.\n`;
}
