import process from "node:process";
import { type Command, InvalidArgumentError, Option } from "commander";
import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import type { Message } from "../../message/message.ts";
import { createThroughline } from "../../throughline.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "../../transcript/transcript.ts";
import { readTranscript } from "../read-transcript.ts";
import { printCompaction } from "./print-compaction.ts";

interface CompactCommandOptions {
  readonly budget: number;
  readonly model: string;
  readonly session?: string;
  readonly format?: TranscriptFormat;
  readonly json?: boolean;
}

export function addCompactCommand(program: Command): void {
  program
    .command("compact")
    .description("fit a transcript into a budget and print what stays, what is summarized and why")
    .argument("<file>", "a transcript; - reads standard input")
    .requiredOption("-b, --budget <tokens>", "tokens that the window may have", wholeNumber)
    .addOption(new Option("-f, --format <format>", "told from the file if not given").choices(TRANSCRIPT_FORMATS))
    .option("-m, --model <id>", "the model to count tokens for", "gpt-4o")
    .option("-s, --session <id>", "which session, where the file holds several; the first if not given")
    .option("--json", "print one JSON object with the window")
    .addHelpText("after", "\nExample:\n  throughline compact session.jsonl --budget 32000")
    .action(compactFile);
}

function wholeNumber(text: string): number {
  const value = Number(text.replaceAll(",", "").replaceAll("_", ""));
  if (!Number.isInteger(value) || value <= 0) throw new InvalidArgumentError("It takes a whole number above 0.");
  return value;
}

async function compactFile(file: string, options: CompactCommandOptions): Promise<void> {
  const { id, messages } = await readSession(file, options);
  const logger = { info: () => undefined, warn: (text: string) => process.stderr.write(`${text}\n`) };
  const throughline = await createThroughline({ logger });
  const session = throughline.session(id, { modelId: options.model });
  await session.append(messages);
  const turn = await session.prepare({ budget: options.budget });
  const compactions = await session.compactions();
  const result = {
    file,
    session: id,
    appended: messages.length,
    ...turn,
    summary: compactions.at(-1)?.summary ?? null,
  };
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : printCompaction(result));
}

async function readSession(file: string, options: CompactCommandOptions): Promise<{ id: string; messages: Message[] }> {
  const messages: Message[] = [];
  let wanted = options.session;
  await readTranscript(file, options.format, (event) => {
    if (event.type === "session") wanted ??= event.id;
    if (event.type === "message" && event.sessionId === wanted) messages.push(event.message);
  });
  if (options.session !== undefined && messages.length === 0) {
    throw new InvalidOptionError("--session", options.session, "the id of a session in the file; `inspect` lists them");
  }
  return { id: wanted ?? "session", messages };
}
