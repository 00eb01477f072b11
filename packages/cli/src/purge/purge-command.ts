import process from "node:process";
import { eraseStoredSession } from "@throughline/server";
import type { Command } from "commander";
import { confirm, eraseWords } from "../confirm.ts";
import { type KeptSession, withKeptSession } from "../data/find-session.ts";
import { type DataOptions, OWNER } from "../data/open-data.ts";
import { count } from "../format-values.ts";
import { dryRunOption, jsonOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";
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
    .summary("erase something for good")
    .description("erase a session and what was remembered from it, or one memory, for good; `forget` can be undone")
    .argument("[session]", "its whole id")
    .option("--memory <id>", "erase this memory or turn, by its whole id; with a memory goes what it rests on")
    .addOption(projectOption())
    .addOption(dryRunOption())
    .option("-y, --yes", "do not ask")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline purge 0276a600 --yes\n  throughline purge --memory mem_0mwhp5h4cf5d6f19e077dc9c2",
    )
    .action((id: string | undefined, _, command: Command) => purge(id, command.optsWithGlobals()));
}

async function purge(session: string | undefined, options: PurgeOptions): Promise<void> {
  const { memory } = options;
  if (session !== undefined && memory === undefined) return purgeSession(session, options);
  if (session === undefined && memory !== undefined) return purgeMemory(memory, options);
  throw new UsageError(
    session === undefined ? "There is nothing to erase." : "A session and a memory are erased one by one.",
    "Give the id of a session, or --memory with the id of a memory.",
  );
}

async function purgeSession(id: string, options: PurgeOptions): Promise<void> {
  const name = printableLine(id);
  const { dryRun = false } = options;
  const outcome = await withKeptSession(id, { ...options, exact: true }, async (kept) => {
    const { head, turns } = kept;
    const messages = Math.max(head.appended, turns);
    const question = `Erase session ${name}, its ${count(messages, "message")} and what was remembered from it for good? [y/N] `;
    const purged = !dryRun && (options.yes || (await confirm(question, eraseWords("session"))));
    if (purged) await erase(id, kept);
    return { purged, messages: purged || dryRun ? messages : 0 };
  });
  const { purged, messages } = outcome;
  const what = `Session ${name} and its ${count(messages, "message")}`;
  const would = dryRun ? `${what} would be erased, and what was remembered from it. ` : "";
  const said = purged ? `${what} are erased.` : `${would}Nothing was erased.`;
  process.stdout.write(options.json ? printJson({ session: id, dryRun, purged, messages }) : `${said}\n`);
}

/** Erases a session and the copies of its text that a server keeps: answers to requests with an Idempotency-Key. */
async function erase(id: string, { store, throughline }: KeptSession): Promise<void> {
  await eraseStoredSession({ documents: store.documents, userId: OWNER, throughline }, id);
  await store.server.answers.erase({ owner: OWNER });
}
