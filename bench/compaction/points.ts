import { readFile } from "node:fs/promises";
import path from "node:path";
import { countTokens, type Message, parseTranscript, repairWindow, type TranscriptSession } from "throughline";
import { countTotalTokens } from "throughline/tokens";
import { NeededIdentifiers } from "./needed-identifiers.ts";

/** One real compaction: the messages before it, the agent's summary, and the identifiers needed afterwards. */
export interface Point {
  readonly id: string;
  /** A valid list of messages; after an earlier compaction, it starts with that summary. */
  readonly pre: readonly Message[];
  readonly preTokens: number;
  readonly summary: string;
  readonly summaryTokens: number;
  readonly post: readonly Message[];
  readonly needed: readonly string[];
}

export interface PointOptions {
  /** The folder with `claude-code/`, or that folder itself. */
  readonly data: string;
  readonly limit?: number;
  readonly isWanted?: (sessionId: string) => boolean;
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
    yield pointAt(open.session, line, options.pre);
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

function pointAt(session: TranscriptSession, line: number, reach: "window" | "session"): Point {
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
  };
}
