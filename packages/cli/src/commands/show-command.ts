import { styleText } from "node:util";
import type { Command } from "commander";
import { getModelLimits, type Message } from "throughline";
import { EMPTY_STATE, type Entry, fromStored, materialize, type SessionState } from "throughline/internal/engine";
import { createTokenCounter, messageText } from "throughline/internal/util";
import type { Role } from "throughline/messages";
import type { CommandOptions } from "../data/open-data.ts";
import { type FoundSession, withFoundSession } from "../data/stored-memory.ts";
import { jsonOption, modelOption, wholeNumber } from "../terminal/options.ts";
import { count, number, printableLine, printResult } from "../terminal/print-values.ts";

const PREVIEW = 100;

interface ShowOptions extends CommandOptions {
  readonly budget?: number;
  readonly model: string;
  readonly all?: boolean;
}

export function addShowCommand(program: Command): void {
  program
    .command("show")
    .summary("Show a window")
    .description("Print the current window of a session.")
    .argument("<session>", "Session id, or a unique prefix of it")
    .option(
      "-b, --budget <tokens>",
      "Token budget to compare with (default: the context window of the model)",
      wholeNumber,
    )
    .addOption(modelOption())
    .option("-a, --all", "Print every message, not only the newest")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline show 0276a600 --budget 32000")
    .action((id: string, _, command: Command) => show(id, command.optsWithGlobals()));
}

async function show(id: string, options: ShowOptions): Promise<void> {
  const window = await withFoundSession(id, options, (session) => gather(session, options));
  printResult(options, window, () => printWindow(window, options.all));
}

async function gather(session: FoundSession, { model, budget }: ShowOptions): Promise<ShownWindow> {
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

const PAGE = 200;

/** Messages of a window, and the compaction that the summary in it belongs to, if any. */
interface WindowPiece {
  readonly compaction: string | undefined;
  readonly messages: readonly Message[];
}

/** The last stored state of the session. */
async function readState({ key, store }: FoundSession): Promise<SessionState> {
  return ((await store.sessions.state(key)) as SessionState | undefined) ?? EMPTY_STATE;
}

/** Reads the current window of a session page by page, without changing it. */
async function* readWindow(session: FoundSession, state: SessionState): AsyncGenerator<WindowPiece> {
  for (let at = 0; at < state.entries.length; at += PAGE) {
    yield* readEntries(session, state, state.entries.slice(at, at + PAGE));
  }
  // Messages appended since the last stored state are in the window in full.
  for (let at = state.appended; at < session.head.appended; at += PAGE) {
    const messages = await session.store.messages.list(session.key, {
      from: at,
      limit: Math.min(PAGE, session.head.appended - at),
    });
    yield* messages.map((message) => ({ compaction: undefined, messages: [message] }));
  }
}

async function* readEntries(
  { key, store }: FoundSession,
  state: SessionState,
  entries: readonly Entry[],
): AsyncGenerator<WindowPiece> {
  const ids = entries.flatMap((entry) => ("message" in entry ? [entry.message] : []));
  const eventIds = entries.flatMap((entry) => ("event" in entry ? [entry.event] : []));
  const messages = new Map((await store.messages.get(key, ids)).map((message) => [message.id, message]));
  const stored = eventIds.length === 0 ? [] : await store.sessions.compactions(key, eventIds);
  const events = new Map(stored.map((event) => [event.id, fromStored(event, key.sessionId)]));
  for (const entry of entries) {
    yield {
      compaction: "event" in entry ? entry.event : undefined,
      messages: materialize({ ...state, entries: [entry] }, { messages, events }),
    };
  }
}

const MAX_NEWEST = 40;

interface ShownMessage {
  readonly id: string;
  readonly role: Role;
  readonly tokens: number;
  /** The summarized compaction. */
  readonly compaction: string | null;
  /** Results with masked outputs; read them with `recall part:<id>`. */
  readonly masked: readonly string[];
  readonly preview: string;
}

interface ShownWindow {
  readonly session: string;
  /** Number of messages ever appended. */
  readonly appended: number;
  readonly compactions: number;
  readonly model: string;
  /** Tokens as the model's provider would count them. */
  readonly tokens: number;
  readonly budget: number;
  readonly warning: string | null;
  readonly messages: readonly ShownMessage[];
}

function printWindow(window: ShownWindow, all = false): string {
  const { messages, tokens, budget } = window;
  const hidden = all ? 0 : Math.max(0, messages.length - MAX_NEWEST);
  const share = Math.round((tokens / budget) * 100);
  const lines = [
    styleText(
      "bold",
      `session ${printableLine(window.session)}: ${count(window.appended, "message")}, ${count(window.compactions, "compaction")}`,
    ),
    `  ${count(messages.length, "message")} in the window, ${number(tokens)} of ${number(budget)} tokens (${number(share)}%)`,
    "",
    ...(hidden === 0 ? [] : [styleText("dim", `  … ${count(hidden, "older message")}; --all prints them.`)]),
    ...messages.slice(hidden).map(row),
    ...(window.warning === null ? [] : ["", styleText("yellow", window.warning)]),
  ];
  return `${lines.join("\n")}\n`;
}

function row({ id, role, tokens, compaction, masked, preview }: ShownMessage): string {
  const notes = [
    compaction === null ? "" : `summary of ${printableLine(compaction)}`,
    masked.length === 0 ? "" : `${masked.length} masked`,
  ];
  const note = notes.filter(Boolean).join(", ");
  const name = `${printableLine(id)}${note === "" ? "" : ` (${note})`}`;
  return `  ${number(tokens).padStart(8)}  ${role.padEnd(9)}  ${name}  ${styleText("dim", preview)}`.trimEnd();
}
