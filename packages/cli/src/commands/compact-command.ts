import process from "node:process";
import { type Command, Option } from "commander";
import {
  createThroughline,
  InvalidOptionError,
  IrreducibleContextError,
  inProcessStore,
  type Message,
  type Model,
  type Session,
  type SessionOptions,
  type TranscriptFormat,
} from "throughline";
import { omitUndefined } from "throughline/internal";
import { getModelLimits } from "throughline/tokens";
import { refuseWithout } from "../config/configured-model.ts";
import { readSettings } from "../config/read-settings.ts";
import { withFoundSession } from "../data/find-session.ts";
import { openInference } from "../data/inference.ts";
import { type DataOptions, LOGGER } from "../data/open-data.ts";
import { interruptible } from "../terminal/interruption.ts";
import { dryRunOption, formatOption, jsonOption, wholeNumber } from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { printable } from "../terminal/printable.ts";
import { readTranscript } from "../transcripts/read-transcript.ts";
import { UsageError } from "../usage-error.ts";
import { type CompactionOutput, noNote, printCompaction } from "./print-compaction.ts";

const PROFILES = ["coding", "content", "chat"] as const;
/** Milliseconds for one reply of the model: a local one may be slow, and the user waits for it. */
const MODEL_TIME_LIMIT = 120_000;

interface CompactCommandOptions extends DataOptions {
  readonly budget: number;
  readonly model?: string;
  readonly profile: (typeof PROFILES)[number];
  readonly session?: string;
  readonly format?: TranscriptFormat;
  readonly dryRun?: boolean;
  readonly note?: boolean;
  readonly json?: boolean;
}

const HELP_FOOTER = `
Without a file, the stored session is compacted; undo it with \`throughline restore\`.
With --dry-run, the whole session is compacted in memory and nothing is stored.

The summary is made by rules. If THROUGHLINE_MODEL_URL is set, a model writes its
prose instead: the one of --model, or else of THROUGHLINE_MODEL, or else the first that
the URL lists. The messages are sent to that URL, and the command waits for the reply.
If there is none, the summary is made by rules, and the reason is printed to stderr.

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
      "Model of the session, whose tokenizer counts the tokens (default: gpt-4o); writes the summary if THROUGHLINE_MODEL_URL is set",
    )
    .option("--without-model", "Ask no model, even if one is configured; the summary is made by rules")
    .addOption(
      new Option("--profile <name>", "Kind of session that the summary is for").choices(PROFILES).default("coding"),
    )
    .option(
      "-s, --session <id>",
      "Session in the file (default: the first one); without a file, the stored session to compact",
    )
    .addOption(dryRunOption())
    .option("--note", "Print the summary alone, as markdown; of a file, it covers the last messages too")
    .addOption(jsonOption())
    .addHelpText("after", HELP_FOOTER)
    .action((file: string | undefined, _, command: Command) => compact(file, command.optsWithGlobals()));
}

async function compact(file: string | undefined, options: CompactCommandOptions): Promise<void> {
  refuseWithout(readSettings(), "model_url", ["model_key", "model"]);
  const ready = { ...options, modelName: options.model };
  const result = file === undefined ? await compactKept(ready) : await compactFile(file, ready);
  if (options.json || !options.note) process.stdout.write(options.json ? printJson(result) : printCompaction(result));
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
    // A note that is printed alone has no messages after it, so it covers all of them.
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
  const latest = compactions.find(({ standIns }) => standIns.some(({ id }) => id === summary));
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
