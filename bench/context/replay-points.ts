import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ContextSignals } from "../../packages/throughline/src/context/context-api.ts";
import { readCall } from "../../packages/throughline/src/ledger/read/read-call.ts";
import { readOutcome } from "../../packages/throughline/src/ledger/read/read-outcome.ts";
import type { Message } from "../../packages/throughline/src/message/message.ts";
import { parseTranscript } from "../../packages/throughline/src/transcript/parse-transcript.ts";
import type { TranscriptSession } from "../../packages/throughline/src/transcript/transcript.ts";
import { readPart } from "../compaction/message-text.ts";

/** A point in a session: earlier messages, the current request, signals, and later messages. */
export interface ReplayPoint {
  readonly session: TranscriptSession;
  readonly before: readonly Message[];
  readonly request: string;
  readonly signals: ContextSignals;
  readonly after: readonly Message[];
}

const MIN_MESSAGES = 12;
/** Number of messages for which an error counts as recent. */
const RECENT = 8;
const RECENT_FILES = 30;

/** Sessions by folder, in chronological order, without summaries that an agent wrote itself. */
export async function readFolders(data: string): Promise<ReadonlyMap<string, readonly TranscriptSession[]>> {
  const folder = path.join(data, "claude-code", "sessions");
  const sessions: TranscriptSession[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".jsonl")).sort()) {
    const parsed = parseTranscript(await readFile(path.join(folder, name), "utf8"), "claude-code");
    const main = parsed.sessions.find(({ meta }) => meta.parentId === undefined);
    if (main === undefined) continue;
    sessions.push({ ...main, messages: main.messages.filter(({ isSummary }) => isSummary !== true) });
  }
  const inOrder = sessions.toSorted((a, b) => (a.meta.startedAt ?? 0) - (b.meta.startedAt ?? 0));
  return Map.groupBy(inOrder, ({ meta }) => meta.cwd ?? "");
}

/** The middle of a session, at the nearest request; `undefined` if the session is too short. */
export function splitSession(session: TranscriptSession): ReplayPoint | undefined {
  const { messages, meta } = session;
  if (messages.length < MIN_MESSAGES) return undefined;
  const requests = messages.flatMap((message, at) => (requestOf(message) === "" || at === 0 ? [] : [at]));
  const middle = messages.length / 2;
  const nearest = requests.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  const isNear = nearest !== undefined && Math.abs(nearest - middle) <= messages.length / 4;
  const at = isNear ? nearest : Math.floor(middle);
  const before = messages.slice(0, at);
  const after = messages.slice(isNear ? at + 1 : at);
  const asked = isNear ? messages[at] : before.findLast((message) => requestOf(message) !== "");
  const request = asked === undefined ? "" : requestOf(asked);
  return {
    session,
    before,
    request,
    signals: { ...signalsOf(before, meta.cwd ?? "", meta.branch), sessionId: session.id },
    after,
  };
}

/** The start of a session, before any message; empty if the session is too short. */
export function startOf(session: TranscriptSession): readonly ReplayPoint[] {
  const { id, messages, meta } = session;
  if (messages.length < MIN_MESSAGES) return [];
  const { branch, startedAt: at } = meta;
  const signals = { sessionId: id, ...(branch !== undefined && { branch }), ...(at !== undefined && { at }) };
  return [{ session, before: [], request: "", signals, after: messages }];
}

/** The session after each quarter of its messages; empty if the session is too short. */
export function quartersOf(session: TranscriptSession): readonly ReplayPoint[] {
  const { messages, meta } = session;
  if (messages.length < MIN_MESSAGES) return [];
  return [0.25, 0.5, 0.75].map((share) => {
    const at = Math.floor(messages.length * share);
    const [before, after] = [messages.slice(0, at), messages.slice(at)];
    const signals = { ...signalsOf(before, meta.cwd ?? "", meta.branch), sessionId: session.id };
    return { session, before, request: "", signals, after };
  });
}

function requestOf({ role, parts }: Message): string {
  if (role !== "user") return "";
  return parts
    .flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []))
    .join("\n")
    .trim();
}

/** The last touched file, and the errors of the last few messages. */
function signalsOf(before: readonly Message[], folder: string, branch: string | undefined): ContextSignals {
  const calls = before.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-call" ? [part] : [])));
  const touched = calls
    .flatMap((call) => readCall(call).touches.map((touch) => touch.path))
    .map((file) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file));
  const currentFile = touched.at(-1);
  const results = before
    .slice(-RECENT)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-result" ? [part] : [])));
  const errors = results
    .map((part) => readOutcome(part, readPart(part)))
    .filter(({ failed, says }) => failed && says !== "");
  const last = before.at(-1)?.createdAt;
  return {
    ...(currentFile !== undefined && { currentFile, recentFiles: touched.slice(-RECENT_FILES) }),
    ...(errors.length > 0 && { recentErrors: errors.map(({ says }) => says), activity: "debugging" }),
    ...(branch !== undefined && { branch }),
    ...(last !== undefined && last > 0 && { at: last }),
  };
}
