import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import {
  createThroughline,
  InvalidOptionError,
  IrreducibleContextError,
  type Message,
  type PreparedTurn,
  type Session,
  type TranscriptFormat,
} from "throughline";
import { omitUndefined } from "throughline/internal";
import { withFoundSession } from "../data/find-session.ts";
import { type DataOptions, LOGGER } from "../data/open-data.ts";
import { number } from "../format-values.ts";
import { interruptible } from "../interruption.ts";
import { dryRunOption, formatOption, jsonOption, modelOption, wholeNumber } from "../options.ts";
import { printJson } from "../print-json.ts";
import { readTranscript } from "../read-transcript.ts";
import { UsageError } from "../usage-error.ts";

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
    .summary("Fit a session into a budget")
    .description("Fit a session into a token budget. Prints what stays, what is summarized, and why.")
    .argument("[file]", "Transcript to read (- reads standard input); nothing is stored")
    .requiredOption("-b, --budget <tokens>", "Maximum tokens in the window", wholeNumber)
    .addOption(formatOption())
    .addOption(modelOption())
    .option(
      "-s, --session <id>",
      "Session in the file (default: the first one); without a file, the stored session to compact",
    )
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nWithout a file, the stored session is compacted; undo it with `throughline restore`.\nWith --dry-run, the whole session is compacted in memory and nothing is stored.\n\nExamples:\n  throughline compact session.jsonl --budget 32000\n  throughline compact --session 0276a600 --budget 32000",
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
    throw new UsageError(
      "Nothing to compact: no file and no session given.",
      "Give a transcript file, or --session with the id of a stored session.",
    );
  }
  if (options.format !== undefined) {
    throw new UsageError(
      "--format applies to files only, and no file is given.",
      "Remove --format to compact a stored session.",
    );
  }
  return withFoundSession(id, options, async ({ throughline, head, key }) => {
    const session = throughline.session(key.sessionId, { modelId: options.model });
    const source = { file: null, appended: head.appended };
    if (options.dryRun) {
      const copy = await compactCopy(key.sessionId, await session.history(), source, options);
      return { ...copy, compaction: null };
    }
    try {
      return await interruptible("No messages were lost.", (signal) => prepare(session, source, options, signal));
    } catch (error) {
      // Nothing fits the budget: restore the session to its previous state.
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

/** Compacts a copy of the whole session in memory. Nothing is stored. */
async function compactCopy(
  id: string,
  messages: readonly Message[],
  source: Source,
  options: CompactCommandOptions,
): Promise<CompactionOutput> {
  const throughline = await createThroughline({ logger: LOGGER });
  try {
    const session = throughline.session(id, { modelId: options.model });
    await session.append(messages);
    return await prepare(session, source, options);
  } finally {
    await throughline.close();
  }
}

type Source = Pick<CompactionOutput, "file" | "appended">;

async function prepare(
  session: Session,
  source: Source,
  { budget }: CompactCommandOptions,
  signal?: AbortSignal,
): Promise<CompactionOutput> {
  const turn = await session.prepare(omitUndefined({ budget, signal, waitForModel: true }));
  // Undone compactions are listed too, so the receipt shows which one is in the window.
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

interface CompactionOutput extends PreparedTurn {
  /** The transcript; `null` for a stored session. */
  readonly file: string | null;
  readonly session: string;
  readonly appended: number;
  /** Summary of the latest compaction in the window. */
  readonly summary: string | null;
  /** Id of the new compaction, if one was made. */
  readonly compaction: string | null;
}

/** Prints token counts, the summary and the receipt. */
function printCompaction(result: CompactionOutput): string {
  const { tokens, receipt, wasPruned, wasCompacted, summary } = result;
  const done = [wasPruned ? "tool outputs masked" : "", wasCompacted ? "compacted" : ""].filter(Boolean).join(", ");
  const steps = [tokens.before, tokens.afterPrune, tokens.afterCompact, tokens.final].map(number);
  const lines = [
    styleText(
      "bold",
      `${result.file === null ? "" : `${result.file}: `}session ${result.session}, ${number(result.appended)} messages`,
    ),
    `  before      ${steps[0]?.padStart(11)} tokens`,
    `  pruned      ${steps[1]?.padStart(11)}`,
    `  compacted   ${steps[2]?.padStart(11)}`,
    `  after       ${steps[3]?.padStart(11)} of ${number(receipt.budget)}, ${number(result.messages.length)} messages${done === "" ? "; nothing to do" : `; ${done}`}`,
    "",
    ...(summary === null ? [] : [summary, ""]),
    styleText("bold", "Receipt"),
    ...receipt.items.map((item) => {
      const note = item.shortened === undefined ? "" : `, ${item.shortened.length} shortened`;
      return `  ${number(item.tokens).padStart(8)}  ${item.rule.padEnd(12)}  ${item.role.padEnd(9)}  ${item.messageId}${note}`;
    }),
    ...receipt.nearMisses.map((miss) =>
      styleText(
        "dim",
        `  ${number(miss.tokens).padStart(8)}  left out      ${miss.reason.padEnd(9)}  ${miss.messageId}`,
      ),
    ),
    ...receipt.notes,
    ...(result.file === null && result.compaction !== null
      ? ["", `Undo: throughline restore ${result.session} ${result.compaction}`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}
