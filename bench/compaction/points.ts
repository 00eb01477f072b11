import { readFile } from "node:fs/promises";
import path from "node:path";
import {
  countTokens,
  type Message,
  type Part,
  parseTranscript,
  repairWindow,
  type TranscriptSession,
} from "throughline";
import { countTotalTokens } from "throughline/tokens";
import { readPart } from "./message-text.ts";
import { NeededIdentifiers } from "./needed-identifiers.ts";
import { findNeeded } from "./notes/measures/needed.ts";
import type { TranscriptMessage, TranscriptPart } from "./notes/transcript.ts";

/** One real compaction: the messages before it, the agent's summary, and the identifiers needed afterwards. */
export interface Point {
  readonly id: string;
  /** A valid list of messages; after an earlier compaction, it starts with that summary. */
  readonly pre: readonly Message[];
  readonly preTokens: number;
  readonly summary: string;
  readonly summaryTokens: number;
  readonly post: readonly Message[];
  /** All names that were needed. */
  readonly needed: readonly string[];
  /** The same by the rule of the notes, without generic names. */
  readonly specific: readonly string[];
}

export interface PointOptions {
  /** The folder with `claude-code/`, or that folder itself. */
  readonly data: string;
  readonly limit?: number;
  readonly isWanted?: (sessionId: string) => boolean;
  /** Names that are not specific to a project. */
  readonly generic: ReadonlySet<string>;
  /** `window`: the agent's window before it; `session`: all messages since the start. */
  readonly pre: "window" | "session";
}

interface PointLine {
  readonly session: string;
  /** Zero-based line of the boundary. */
  readonly line: number;
}

/** Reads the points one after the other, each session once. */
export async function* readPoints(options: PointOptions): AsyncGenerator<Point> {
  const folder = await findFolder(options.data);
  const text = await readFile(path.join(folder, "compactions.jsonl"), "utf8");
  const lines: PointLine[] = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  let open: { readonly id: string; readonly session: TranscriptSession } | undefined;
  const wanted = lines.filter(({ session }) => options.isWanted?.(session) ?? true);
  for (const { session: id, line } of wanted.slice(0, options.limit)) {
    if (open?.id !== id) open = { id, session: await readSession(path.join(folder, "sessions", `${id}.jsonl`)) };
    yield pointAt(open.session, line, options);
  }
}

/** The folder with the transcripts of Claude Code: below the data folder, or the folder itself. */
export async function findFolder(data: string): Promise<string> {
  const below = path.join(data, "claude-code");
  const found = await readFile(path.join(below, "compactions.jsonl")).then(
    () => true,
    () => false,
  );
  return found ? below : data;
}

async function readSession(file: string): Promise<TranscriptSession> {
  const { sessions } = parseTranscript(await readFile(file, "utf8"), "claude-code");
  const main = sessions.find((session) => session.meta.parentId === undefined);
  if (main === undefined) throw new Error(`${file} holds no session.`);
  return main;
}

function pointAt(session: TranscriptSession, line: number, { pre: reach, generic }: PointOptions): Point {
  const { compactions, messages } = session;
  const index = compactions.findIndex((compaction) => compaction.line === line + 1);
  const compaction = compactions[index];
  if (compaction?.summary === undefined) throw new Error(`${session.id} has no compaction at line ${line}.`);
  const from = reach === "session" ? 0 : (compactions[index - 1]?.at ?? 0);
  const until = compactions[index + 1]?.at ?? messages.length;
  const said = messages.slice(from, compaction.at);
  const post = messages.slice(compaction.at + 1, until);
  const pre = repairWindow(said).messages;
  return {
    id: `${session.id}:${line}`,
    pre,
    preTokens: countTotalTokens(pre),
    summary: compaction.summary,
    summaryTokens: countTokens(compaction.summary),
    post,
    needed: new NeededIdentifiers([...said, ...post]).at(said.length),
    specific: findNeeded(toTranscript(said), toTranscript(post)).filter((name) => !generic.has(name)),
  };
}

/** The messages in the form that the measures of notes read. */
function toTranscript(messages: readonly Message[]): TranscriptMessage[] {
  return messages.map(({ role, parts, isSummary = false }, line) => ({
    role: role === "assistant" ? role : "user",
    parts: parts.map(toTranscriptPart),
    isSummary,
    line,
  }));
}

function toTranscriptPart(part: Part): TranscriptPart {
  switch (part.type) {
    case "tool-call":
      return { kind: "call", id: part.toolCallId, name: part.toolName, input: part.input };
    case "tool-result":
      return { kind: "result", id: part.toolCallId, isError: false, text: readPart(part) };
    default:
      return { kind: part.type === "reasoning" ? "reasoning" : "text", text: readPart(part) };
  }
}
