import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { findFolder } from "../points.ts";
import { findNeeded } from "./measures/needed.ts";
import { partText } from "./part-text.ts";
import { readClaudeCode } from "./read-claude-code.ts";
import { readCodex } from "./read-codex.ts";
import type { Label, NoteCase, TranscriptMessage } from "./transcript.ts";

/** Fewer messages are not worth a compaction. */
const MIN_MESSAGES = 4;

/** One session with the cases that it gives. */
export interface SessionCases {
  readonly id: string;
  readonly agent: "claude-code" | "codex";
  /** The whole session. */
  readonly session: NoteCase;
  /** One case for each real compaction after which something was needed. */
  readonly compactions: readonly NoteCase[];
}

/** Sessions that are set aside for reading: their id begins with 0 to 3. They are not used for tuning. */
export function isSetAside(sessionId: string): boolean {
  return /^[0-3]/.test(sessionId);
}

/** Reads all sessions below a data folder, each file once. */
export async function* readCases(data: string, isWanted: (id: string) => boolean): AsyncGenerator<SessionCases> {
  const claudeCode = await findFolder(data);
  const labels = await readLabels(path.join(claudeCode, "labels", "sessions.jsonl"));
  for (const { id, file } of await listSessions(path.join(claudeCode, "sessions"))) {
    if (!isWanted(id)) continue;
    const messages = readClaudeCode(await readFile(file, "utf8"));
    const starts = messages.flatMap((message, index) => (message.isSummary ? [index] : []));
    yield { id, agent: "claude-code", ...makeCases(id, messages, starts, labels.get(id) ?? []) };
  }
  for (const { id, file } of await listSessions(path.join(data, "codex", "sessions"))) {
    if (!isWanted(id)) continue;
    const { messages, starts } = readCodex(await readFile(file, "utf8"));
    yield { id, agent: "codex", ...makeCases(id, messages, starts, []) };
  }
}

/** @param starts indices of the first message of each window after the first one */
function makeCases(
  id: string,
  messages: readonly TranscriptMessage[],
  starts: readonly number[],
  labels: readonly Label[],
): Pick<SessionCases, "session" | "compactions"> {
  const compactions = starts.flatMap((start, index): NoteCase[] => {
    const before = messages.slice(starts[index - 1] ?? 0, start);
    const window = messages.slice(start, starts[index + 1]);
    const summary = window[0]?.isSummary === true ? window[0] : undefined;
    const needed = findNeeded(before, summary === undefined ? window : window.slice(1));
    if (needed.length === 0 || before.length < MIN_MESSAGES) return [];
    const point = { id: `${id}:${index + 1}`, messages: before, needed, labels: labelsBefore(labels, window) };
    return [summary === undefined ? point : { ...point, ownSummary: summary.parts.map(partText).join("\n") }];
  });
  return { session: { id, messages, labels }, compactions };
}

/** Labels of the lines before a window. */
function labelsBefore(labels: readonly Label[], window: readonly TranscriptMessage[]): Label[] {
  const end = window[0]?.line ?? 0;
  return labels.filter(({ line }) => line < end);
}

async function readLabels(file: string): Promise<Map<string, readonly Label[]>> {
  const lines = (await readIfPresent(file)).split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const { session, decisions, learned } = JSON.parse(line);
      return [session, [...decisions, ...learned]];
    }),
  );
}

/** Generic identifiers, one per line, from the data folder or from `metrics` beside it. */
export async function readGenericIdentifiers(data: string): Promise<Set<string>> {
  const name = "generic-identifiers.txt";
  for (const folder of [data, path.join(data, "..", "metrics")]) {
    const text = await readIfPresent(path.join(folder, name));
    if (text !== "") return new Set(text.split("\n").filter((line) => line !== ""));
  }
  return new Set();
}

/** The session files of a folder. A name may have a prefix before the id: `project__ID.jsonl`. */
async function listSessions(folder: string): Promise<{ readonly id: string; readonly file: string }[]> {
  const names = await readdir(folder).catch(ifMissing<string[]>([]));
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => ({ id: name.replace(/^.*__/, "").replace(/\.jsonl$/, ""), file: path.join(folder, name) }));
}

function readIfPresent(file: string): Promise<string> {
  return readFile(file, "utf8").catch(ifMissing(""));
}

function ifMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code !== "ENOENT") throw error;
    return value;
  };
}
