import process from "node:process";
import type { Command } from "commander";
import {
  createThroughline,
  InvalidOptionError,
  IrreducibleContextError,
  type Message,
  type Session,
  type TranscriptFormat,
} from "throughline";
import { omitUndefined } from "throughline/internal";
import { withKeptSession } from "../data/find-session.ts";
import { type DataOptions, LOGGER } from "../data/open-data.ts";
import { interruptible } from "../interruption.ts";
import { dryRunOption, formatOption, jsonOption, modelOption, wholeNumber } from "../options.ts";
import { printJson } from "../print-json.ts";
import { readTranscript } from "../read-transcript.ts";
import { UsageError } from "../usage-error.ts";
import { type CompactionOutput, printCompaction } from "./print-compaction.ts";

interface CompactCommandOptions extends DataOptions {
  readonly budget: number;
  readonly model: string;
  readonly session?: string;
  readonly format?: TranscriptFormat;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addCompactCommand(program: Command): void {
  program
    .command("compact")
    .summary("fit it into a budget")
    .description("fit a session into a budget and print what stays, what is summarized and why")
    .argument("[file]", "a transcript, of which nothing is kept; - reads standard input")
    .requiredOption("-b, --budget <tokens>", "tokens that the window may have", wholeNumber)
    .addOption(formatOption())
    .addOption(modelOption())
    .option("-s, --session <id>", "which one of the file's, the first if not given; without a file: the kept session")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nWithout a file, a kept session is compacted and stays so; `throughline restore` undoes it.\nWith --dry-run nothing is: it shows what would come of all that was said.\n\nExamples:\n  throughline compact session.jsonl --budget 32000\n  throughline compact --session 0276a600 --budget 32000",
    )
    .action((file: string | undefined, _, command: Command) => compact(file, command.optsWithGlobals()));
}

async function compact(file: string | undefined, options: CompactCommandOptions): Promise<void> {
  const result = file === undefined ? await compactKept(options) : await compactFile(file, options);
  process.stdout.write(options.json ? printJson(result) : printCompaction(result));
}

async function compactKept(options: CompactCommandOptions): Promise<CompactionOutput> {
  const id = options.session;
  if (id === undefined) {
    throw new UsageError("There is nothing to compact.", "Give a file, or --session with the id of a kept session.");
  }
  if (options.format !== undefined) {
    throw new UsageError("--format is for a file, and none is given.", "Leave it out to compact a kept session.");
  }
  return withKeptSession(id, options, async ({ throughline, head, key }) => {
    const session = throughline.session(key.sessionId, { modelId: options.model });
    const source = { file: null, appended: head.appended };
    if (options.dryRun) {
      const copy = await compactCopy(key.sessionId, await session.history(), source, options);
      return { ...copy, compaction: null };
    }
    try {
      return await interruptible("Nothing is lost.", (signal) => prepare(session, source, options, signal));
    } catch (error) {
      // A budget into which nothing fits was a mistake: the session is to be what it was.
      const [made] = (await session.compactions()).slice(head.compactions);
      if (error instanceof IrreducibleContextError && made !== undefined) await session.restore(made.id);
      throw error;
    }
  });
}

async function compactFile(file: string, options: CompactCommandOptions): Promise<CompactionOutput> {
  const { id, messages } = await readSession(file, options);
  return compactCopy(id, messages, { file, appended: messages.length }, options);
}

/** Compacts all that was said in a session, as if for the first time. Nothing of it is kept. */
async function compactCopy(
  id: string,
  messages: readonly Message[],
  source: Source,
  options: CompactCommandOptions,
): Promise<CompactionOutput> {
  const throughline = await createThroughline({ logger: LOGGER });
  const session = throughline.session(id, { modelId: options.model });
  await session.append(messages);
  return prepare(session, source, options);
}

type Source = Pick<CompactionOutput, "file" | "appended">;

async function prepare(
  session: Session,
  source: Source,
  { budget }: CompactCommandOptions,
  signal?: AbortSignal,
): Promise<CompactionOutput> {
  const turn = await session.prepare(omitUndefined({ budget, signal }));
  // Those that were undone are among them, so the receipt says which one stands in the window.
  const summary = turn.receipt.items.findLast(({ rule }) => rule === "summary")?.messageId;
  const compactions = await session.compactions();
  const latest = compactions.find(({ standIns }) => standIns.some(({ id }) => id === summary));
  return {
    ...source,
    session: session.id,
    ...turn,
    summary: latest?.summary ?? null,
    compaction: turn.wasCompacted ? (latest?.id ?? null) : null,
  };
}

async function readSession(file: string, options: CompactCommandOptions): Promise<{ id: string; messages: Message[] }> {
  const messages: Message[] = [];
  let wanted = options.session;
  const { events } = await readTranscript(file, options.format);
  for await (const event of events) {
    if (event.type === "session") wanted ??= event.id;
    if (event.type === "message" && event.sessionId === wanted) messages.push(event.message);
  }
  if (options.session !== undefined && messages.length === 0) {
    throw new InvalidOptionError("--session", options.session, "the id of a session in the file; `inspect` lists them");
  }
  return { id: wanted ?? "session", messages };
}
