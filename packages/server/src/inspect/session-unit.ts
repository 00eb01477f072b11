import { createHash } from "node:crypto";
import { getModelLimits, type Message, type Session } from "throughline";
import {
  type RecordedMasks,
  type RecordedSession,
  RecordedSessions,
  redactSession,
} from "throughline/internal/inspect";
import { omitUndefined, yieldToEventLoop } from "throughline/internal/util";
import type { TranscriptCompaction } from "throughline/transcript";
import type { OpenedSession } from "../session-access.ts";
import type { HistoryFile, HistorySource } from "./history-source.ts";

/** Agent name of sessions in the store. */
export const OWN_AGENT = "throughline";

/** A file with recorded sessions, or one session of the store: read as a whole, again when its version changes. */
export interface SessionUnit {
  /** Beginning of the ids of its sessions. */
  readonly key: string;
  /** Name for caches: users may have sessions with the same id. */
  readonly cacheKey: string;
  readonly version: string;
  readonly agent: string;
  readonly changedAt: number;
  load(): Promise<readonly RecordedSession[]>;
}

/** Id of a session of a unit. */
export function sessionIdOf({ key, agent }: SessionUnit, session: Pick<RecordedSession, "id">): string {
  return agent === OWN_AGENT ? key : `${key}:${session.id}`;
}

/** Returns the units of the history files, under names that do not show their paths. */
export async function historyUnits(source: HistorySource): Promise<readonly SessionUnit[]> {
  const files = await source.list();
  return files.map((file) => historyUnit(source, file));
}

function historyUnit(source: HistorySource, { agent, file, bytes, changedAt }: HistoryFile): SessionUnit {
  const name = createHash("sha256").update(file).digest("hex").slice(0, 12);
  const load = async () => {
    const recorded = new RecordedSessions();
    for await (const event of source.read(file)) {
      recorded.take(event);
      await yieldToEventLoop();
    }
    return recorded.sessions();
  };
  const key = `${agent}:${name}`;
  return { key, cacheKey: key, version: `${bytes} ${changedAt}`, agent, changedAt, load };
}

interface StoredUnit {
  readonly userId: string;
  readonly sessionId: string;
  readonly version: string;
  readonly changedAt: number;
  readonly projectId: string | undefined;
  readonly open: () => Promise<OpenedSession>;
}

/** Returns the unit of a session of the store. */
export function storedUnit({ userId, sessionId, version, changedAt, projectId, open }: StoredUnit): SessionUnit {
  const load = async () => {
    const { session, options } = await open();
    const [messages, compactions] = [await session.history(), await session.compactions()];
    const meta = projectId === undefined ? {} : { cwd: projectId };
    const current = compactions.filter(({ isUndone }) => !isUndone);
    const [window, edits] = [await session.window.messages(), await session.window.edits()];
    const masks = [...masksOf(messages, current, window), ...masksByHand(messages, window, edits)];
    const recorded = { masks, compactions: recordedForm(messages, current) };
    const { contextLimit = limitOf(options.modelId) } = options;
    const about = omitUndefined({ isCountedByUs: true, contextLimit });
    return [redactSession({ id: sessionId, messages, meta, ...recorded, ...about })];
  };
  const key = `${OWN_AGENT}:${sessionId}`;
  return { key, cacheKey: JSON.stringify([userId, projectId, key]), version, agent: OWN_AGENT, changedAt, load };
}

function limitOf(modelId: string | undefined): number | undefined {
  return modelId === undefined ? undefined : getModelLimits(modelId).contextLimit;
}

type Compactions = Awaited<ReturnType<Session["compactions"]>>;
type Messages = Awaited<ReturnType<Session["history"]>>;
type Window = Awaited<ReturnType<Session["window"]["messages"]>>;
type Edits = Awaited<ReturnType<Session["window"]["edits"]>>;
type ToolResult = Extract<Message["parts"][number], { readonly type: "tool-result" }>;

/** Outputs that Throughline masked: those that it compacted later, and those in the present window. */
function masksOf(messages: Messages, compactions: Compactions, window: Window): readonly RecordedMasks[] {
  const present = window.flatMap(({ message }) => message.parts.filter((part) => part.type === "tool-result"));
  const found = new Map<string, ToolResult>();
  for (const part of [...compactions.flatMap(({ masksBefore }) => Object.values(masksBefore)), ...present])
    if (part.compactedAt !== undefined) found.set(part.id, part);
  const groups = Map.groupBy(found.values(), ({ compactedAt = 0 }) => indexAfter(messages, compactedAt));
  return [...groups].map(([at, parts]) => ({ at, parts }));
}

/** Content that a person took out of the present window. */
function masksByHand(messages: Messages, window: Window, edits: Edits): readonly RecordedMasks[] {
  const current = edits.filter(({ kind, isUndone }) => kind === "mask" && !isUndone);
  return window.flatMap(({ message, masked }) => {
    const parts = message.parts.filter(({ id }) => masked.includes(id));
    const handles = [`message:${message.id}`, ...masked.map((id) => `part:${id}`)];
    const edit = current.findLast((one) => one.handles.some((handle) => handles.includes(handle)));
    return edit === undefined || parts.length === 0 ? [] : [{ at: indexAfter(messages, edit.createdAt), parts }];
  });
}

/** Index of the first message after a time. */
function indexAfter(messages: Messages, time: number): number {
  const after = messages.findIndex((message) => message.createdAt > time);
  return after < 0 ? messages.length : after;
}

/** Compactions of the store in the form of a transcript, with the windows after them. */
function recordedForm(messages: Messages, compactions: Compactions): readonly TranscriptCompaction[] {
  const gone = new Set<string>();
  return compactions.map((compaction) => {
    const { createdAt, tokensBefore, tokensAfter, summary, summaryMessages, compactedMessageIds, masksBefore } =
      compaction;
    const at = indexAfter(messages, createdAt);
    const mask = (message: Message): Message => ({
      ...message,
      parts: message.parts.map((part) => (Object.hasOwn(masksBefore, part.id) ? (masksBefore[part.id] ?? part) : part)),
    });
    for (const id of compactedMessageIds) gone.add(id);
    const first = messages.findIndex(({ id }) => gone.has(id));
    const rest = messages
      .slice(first, at)
      .filter(({ id }) => !gone.has(id))
      .map(mask);
    // The task and system messages stay before the summary.
    const window = [...messages.slice(0, first).map(mask), ...summaryMessages, ...rest];
    return { at, createdAt, tokensBefore, tokensAfter, summary, window };
  });
}
