import process from "node:process";
import { styleText } from "node:util";
import { type Command, Option } from "commander";
import {
  createThroughline,
  InvalidOptionError,
  IrreducibleContextError,
  inProcessStore,
  type Message,
  type Model,
  type PreparedTurn,
  type Session,
  type SessionOptions,
  type TranscriptFormat,
} from "throughline";
import { omitUndefined } from "throughline/internal/util";
import { getModelLimits } from "throughline/tokens";
import { readSettings } from "../config/read-settings.ts";
import { openInference, refuseWithout } from "../data/inference.ts";
import { type CommandOptions, LOGGER } from "../data/open-data.ts";
import { withFoundSession } from "../data/stored-memory.ts";
import { interruptible } from "../terminal/interruption.ts";
import { dryRunOption, formatOption, jsonOption, wholeNumber } from "../terminal/options.ts";
import { count, number, printable, printResult } from "../terminal/print-values.ts";
import { readTranscript } from "../transcripts/read-transcript.ts";
import { UsageError } from "../usage-error.ts";

const PROFILES = ["coding", "content", "chat"] as const;
/** Milliseconds for one reply of the model: a local one may be slow, and the user waits for it. */
const MODEL_TIME_LIMIT = 120_000;

interface CompactCommandOptions extends CommandOptions {
  readonly budget: number;
  readonly model?: string;
  readonly profile: (typeof PROFILES)[number];
  readonly session?: string;
  readonly format?: TranscriptFormat;
  readonly note?: boolean;
}

const HELP_FOOTER = `
Without a file, the stored session is compacted; \`throughline restore\` undoes
it. With --dry-run, the whole session is compacted in memory and nothing is
stored.

Rules write the summary. If THROUGHLINE_MODEL_URL is set, a model writes its
prose: --model, THROUGHLINE_MODEL or the first model of the URL, in this order.
The messages are sent to it, and the command waits for the reply. If the model
fails, rules write the summary, and the reason is printed to stderr.

Examples:
  throughline compact session.jsonl --budget 32000
  throughline compact session.jsonl --budget 8000 --note > note.md
  throughline compact --session 0276a600 --budget 32000`;

export function addCompactCommand(program: Command): void {
  program
    .command("compact")
    .summary("Fit a session into a budget")
    .description("Fit a session into a token budget. Prints what stays, what is summarized, and why.")
    .argument("[file]", "Transcript to read (- reads standard input); nothing is stored")
    .requiredOption("-b, --budget <tokens>", "Maximum tokens in the window", wholeNumber)
    .addOption(formatOption())
    .option(
      "-m, --model <id>",
      "Model id; its tokenizer counts the tokens (default: gpt-4o). If THROUGHLINE_MODEL_URL is set, it writes the summary",
    )
    .option("--without-model", "Do not call a model, even if one is configured; rules write the summary")
    .addOption(
      new Option("--profile <name>", "Kind of session that the summary is for").choices(PROFILES).default("coding"),
    )
    .option(
      "-s, --session <id>",
      "Session in the file (default: the first one); without a file, the stored session to compact",
    )
    .addOption(dryRunOption())
    .option("--note", "Print only the summary, as Markdown; for a file, it includes the latest messages")
    .addOption(jsonOption())
    .addHelpText("after", HELP_FOOTER)
    .action((file: string | undefined, _, command: Command) => runCompact(file, command.optsWithGlobals()));
}

async function runCompact(file: string | undefined, options: CompactCommandOptions): Promise<void> {
  refuseWithout(readSettings(), "model_url", ["model_key", "model"]);
  const ready = { ...options, modelName: options.model };
  const result = file === undefined ? await compactKept(ready) : await compactFile(file, ready);
  if (options.json || !options.note) printResult(options, result, () => printCompaction(result));
  else if (result.summary === null) process.stderr.write(noNote(result));
  else process.stdout.write(`${printable(result.summary)}\n`);
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
  return withFoundSession(id, options, async ({ throughline, inference: { model }, head, key }) => {
    const session = throughline.session(key.sessionId, sessionOptions(options));
    const source = { file: null, appended: head.appended };
    if (options.dryRun) {
      const copy = await compactCopy(key.sessionId, await session.history(), source, options);
      return { ...copy, compaction: null };
    }
    try {
      return await interruptible("No messages were lost.", (signal) =>
        prepare(session, source, { ...options, signal, model }),
      );
    } catch (error) {
      if (!(error instanceof IrreducibleContextError)) throw error;
      // Nothing fits the budget: restore the session to its previous state.
      const [made] = (await session.compactions()).slice(head.compactions);
      if (made !== undefined) await session.restore(made.id);
      throw error;
    }
  });
}

async function compactFile(file: string, options: CompactCommandOptions): Promise<CompactionOutput> {
  const { id, messages } = await readSession(file, options);
  return compactCopy(id, messages, { file, appended: messages.length }, options);
}

/** Last line of a summary. */
const RECALL_NOTE = /\s*Recall it as compaction-\d+\.$/;

/** A cut in the user's words, with the handle of the whole text. */
const CUT_WITH_HANDLE = /\[… recall part:\S{1,200} …\]/g;

/** Compacts a copy of the whole session in memory. Nothing is stored, so there is no handle that could be recalled. */
async function compactCopy(
  id: string,
  messages: readonly Message[],
  source: Source,
  options: CompactCommandOptions,
): Promise<CompactionOutput> {
  const { model } = openInference(inProcessStore().documents, options);
  const throughline = await createThroughline(omitUndefined({ logger: LOGGER, model }));
  try {
    // A note printed without messages covers the whole session.
    const keep = options.note === true && options.json !== true ? { keepTokens: 0 } : {};
    const reader = options.json === true ? "model" : "person";
    const session = throughline.session(id, { ...sessionOptions(options), ...keep, reader });
    await session.append(messages);
    const result = await interruptible("Nothing was stored.", (signal) =>
      prepare(session, source, { ...options, signal, model }),
    );
    return { ...result, summary: result.summary?.replace(RECALL_NOTE, "").replace(CUT_WITH_HANDLE, "[…]") ?? null };
  } finally {
    await throughline.close();
  }
}

function sessionOptions({ model = "gpt-4o", profile, budget }: CompactCommandOptions): SessionOptions {
  const options = { modelId: model, profile, summaryTimeLimit: MODEL_TIME_LIMIT };
  // The budget determines the size of the window, so an unknown model needs no warning.
  return getModelLimits(model).source === "default" ? { ...options, contextLimit: budget } : options;
}

type Source = Pick<CompactionOutput, "file" | "appended">;

interface Preparation extends Pick<CompactCommandOptions, "budget"> {
  readonly signal: AbortSignal;
  readonly model: Model | undefined;
}

async function prepare(
  session: Session,
  source: Source,
  { budget, signal, model }: Preparation,
): Promise<CompactionOutput> {
  const turn = await session.prepare({ budget, signal, waitForModel: true });
  // Undone compactions are listed too, so the receipt shows which one is in the window.
  const summary = turn.receipt.items.findLast(({ rule }) => rule === "summary")?.messageId;
  const compactions = await session.compactions();
  const latest = compactions.find(({ summaryMessages }) => summaryMessages.some(({ id }) => id === summary));
  const writer = latest?.withoutProse === undefined ? model?.modelId : undefined;
  return {
    ...source,
    session: session.id,
    ...turn,
    summary: latest?.summary ?? null,
    summarizedBy: turn.wasCompacted ? (writer ?? "rules") : null,
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

/** Result of the command, as printed by `--json`. */
interface CompactionOutput extends PreparedTurn {
  /** The transcript; `null` for a stored session. */
  readonly file: string | null;
  readonly session: string;
  readonly appended: number;
  /** Summary of the latest compaction in the window. */
  readonly summary: string | null;
  /** Id of the model that wrote the new summary, or "rules"; `null` if there is no new one. */
  readonly summarizedBy: string | null;
  /** Id of the new compaction, if one was made. */
  readonly compaction: string | null;
}

/** Rows of the receipt above which neighbors with the same rule share a row. */
const MAX_ROWS = 24;

function printCompaction(result: CompactionOutput): string {
  const { receipt, summary } = result;
  const lines = [
    ...compactionHeader(result),
    "",
    ...(summary === null ? [] : [printable(summary), ""]),
    styleText("bold", "Receipt"),
    ...receiptRows(receipt.items),
    ...leftOutRows(receipt.nearMisses),
    ...receipt.notes,
    ...(result.file === null && result.compaction !== null
      ? ["", `Undo: throughline restore ${result.session} ${result.compaction}`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Explains a missing summary. */
function noNote({ tokens, receipt }: CompactionOutput): string {
  return `No note: the session fits the budget, with ${number(tokens.final)} of ${count(receipt.budget, "token")}.\n`;
}

function compactionHeader({ tokens, receipt, messages, ...result }: CompactionOutput): readonly string[] {
  const { wasPruned, wasCompacted, summarizedBy } = result;
  const done = [
    wasPruned ? "tool outputs masked" : "",
    wasCompacted ? `compacted, summary by ${printable(summarizedBy ?? "rules")}` : "",
  ].filter(Boolean);
  const steps = [tokens.before, tokens.afterPrune, tokens.afterCompact, tokens.final].map(number);
  const file = result.file === null ? "" : `${result.file}: `;
  return [
    styleText("bold", `${file}session ${result.session}, ${count(result.appended, "message")}`),
    `  before      ${steps[0]?.padStart(11)} tokens`,
    `  pruned      ${steps[1]?.padStart(11)}`,
    `  compacted   ${steps[2]?.padStart(11)}`,
    `  after       ${steps[3]?.padStart(11)} of ${number(receipt.budget)}, ${count(messages.length, "message")}; ${done.join(", ") || "nothing to do"}`,
  ];
}

type ReceiptItem = PreparedTurn["receipt"]["items"][number];

/** One row per message; in a long receipt, one row per run of messages with the same rule. */
function receiptRows(items: readonly ReceiptItem[]): readonly string[] {
  const runs: ReceiptItem[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (items.length > MAX_ROWS && run?.[0]?.rule === item.rule) run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first === undefined) return [];
    const tokens = run.reduce((sum, item) => sum + item.tokens, 0);
    const shortened = run.reduce((sum, item) => sum + (item.shortened?.length ?? 0), 0);
    const note = shortened === 0 ? "" : `, ${shortened} shortened`;
    const what = run.length === 1 ? `${first.role.padEnd(9)}  ${first.messageId}` : count(run.length, "message");
    return [`  ${number(tokens).padStart(8)}  ${first.rule.padEnd(12)}  ${what}${note}`];
  });
}

/** The newest messages that the window does not contain, by reason. */
function leftOutRows(misses: PreparedTurn["receipt"]["nearMisses"]): readonly string[] {
  const byReason = Map.groupBy(misses, ({ reason }) => reason);
  return [...byReason].map(([reason, group]) => {
    const tokens = number(group.reduce((sum, miss) => sum + miss.tokens, 0)).padStart(8);
    return styleText(
      "dim",
      `  ${tokens}  left out      the newest ${count(group.length, "message")} that were ${reason}; --json lists them`,
    );
  });
}
