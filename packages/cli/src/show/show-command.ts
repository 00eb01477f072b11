import process from "node:process";
import type { Command } from "commander";
import { getModelLimits, type Message } from "throughline";
import { createTokenCounter, messageText } from "throughline/internal";
import { type KeptSession, withKeptSession } from "../data/find-session.ts";
import type { DataOptions } from "../data/open-data.ts";
import { jsonOption, modelOption, wholeNumber } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";
import { printWindow, type ShownMessage, type ShownWindow } from "./print-window.ts";
import { readState, readWindow, type WindowPiece } from "./read-window.ts";

const PREVIEW = 100;

interface ShowOptions extends DataOptions {
  readonly budget?: number;
  readonly model: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addShowCommand(program: Command): void {
  program
    .command("show")
    .summary("print a window")
    .description("print what is in a session's window now")
    .argument("<session>", "its id, or the beginning of it")
    .option("-b, --budget <tokens>", "what to measure it against; the model's window if not given", wholeNumber)
    .addOption(modelOption())
    .option("-a, --all", "print every message, not only the newest")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline show 0276a600 --budget 32000")
    .action((id: string, _, command: Command) => show(id, command.optsWithGlobals()));
}

async function show(id: string, options: ShowOptions): Promise<void> {
  const window = await withKeptSession(id, options, (session) => gather(session, options));
  process.stdout.write(options.json ? printJson(window) : printWindow(window, options.all));
}

async function gather(session: KeptSession, { model, budget }: ShowOptions): Promise<ShownWindow> {
  const state = await readState(session);
  const counter = createTokenCounter(model, state.calibration);
  const tokensOf = (message: Message) => Math.ceil(counter.message(message) * counter.factor);
  const messages: ShownMessage[] = [];
  for await (const piece of readWindow(session, state)) messages.push(...shown(piece, tokensOf));
  const limits = getModelLimits(model);
  return {
    session: session.key.sessionId,
    appended: session.head.appended,
    compactions: session.head.compactions,
    model,
    tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
    budget: budget ?? limits.contextLimit,
    warning: budget === undefined ? (limits.warning ?? null) : null,
    messages,
  };
}

function shown({ compaction, messages }: WindowPiece, tokensOf: (message: Message) => number): ShownMessage[] {
  return messages.map((message) => ({
    id: message.id,
    role: message.role,
    tokens: tokensOf(message),
    compaction: compaction ?? null,
    masked: message.parts.flatMap((part) => ("originalTokens" in part && part.type === "tool-result" ? [part.id] : [])),
    preview: printableLine(messageText(message), PREVIEW),
  }));
}
