import { createHash } from "node:crypto";
import type { Context } from "hono";
import { getModelLimits, type Message, NotFoundError, type Session } from "throughline";
import {
  type RecordedMasks,
  type RecordedSession,
  RecordedSessions,
  redactSession,
} from "throughline/internal/inspect";
import { omitUndefined, yieldToEventLoop } from "throughline/internal/util";
import type { TranscriptCompaction, TranscriptEvent } from "throughline/transcript";
import { sessionDeps } from "../api/session-routes.ts";
import { isLoopback } from "../middleware/check-access.ts";
import type { ServerEnv, Services } from "../server-env.ts";
import { findSession, type OpenedSession, type SessionDeps, seenSessions } from "../session-access.ts";

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
async function historyUnits(source: HistorySource): Promise<readonly SessionUnit[]> {
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

/** A file with recorded sessions of an agent. */
export interface HistoryFile {
  /** Name of the agent, such as `claude-code`. */
  readonly agent: string;
  /** Path on this machine. It is not part of any response. */
  readonly file: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Milliseconds since 1970 of the last change. */
  readonly changedAt: number;
}

/** Recorded sessions of agents on this machine. */
export interface HistorySource {
  /** Lists the files. Called often; it reads names, sizes and times only. */
  list(): Promise<readonly HistoryFile[]>;
  /** Reads the content of a listed file. */
  read(file: string): AsyncIterable<TranscriptEvent>;
}

/** Sessions read per query. */
const PAGE = 200;

/** All sessions that the caller may inspect: those of the store, and the histories on this machine. */
export async function findUnits(c: Context<ServerEnv>, services: Services): Promise<readonly SessionUnit[]> {
  const [recorded, stored] = await Promise.all([recordedUnits(c, services), storedUnits(sessionDeps(c, services))]);
  return [...recorded, ...stored];
}

/**
 * The unit of a session.
 *
 * @throws NotFoundError if the caller may see no such session
 */
export async function findUnit(c: Context<ServerEnv>, services: Services, id: string): Promise<SessionUnit> {
  if (id.startsWith(`${OWN_AGENT}:`)) return findStored(sessionDeps(c, services), id.slice(OWN_AGENT.length + 1));
  const found = (await recordedUnits(c, services)).find(({ key }) => id.startsWith(`${key}:`));
  if (found === undefined) throw new NotFoundError(`Session ${id}`, "here");
  return found;
}

/**
 * Histories are files of the person at this machine: only requests from this machine with all permissions see them. A
 * server that other machines can reach has none.
 */
async function recordedUnits(c: Context<ServerEnv>, { histories }: Services): Promise<readonly SessionUnit[]> {
  const isHere = isLoopback(new URL(c.req.url).hostname);
  if (histories === undefined || !isHere || !c.var.caller.scopes.has("admin")) return [];
  return historyUnits(histories);
}

async function storedUnits(place: SessionDeps): Promise<readonly SessionUnit[]> {
  const units: SessionUnit[] = [];
  for (let after: string | undefined; ; ) {
    const page = await place.throughline.sessions(omitUndefined({ after, limit: PAGE }));
    for (const { sessionId, appended, compactions, updatedAt } of await seenSessions(place, page)) {
      if (appended === 0) continue;
      units.push(unitOf(place, sessionId, `${appended} ${compactions} ${updatedAt}`, updatedAt));
    }
    after = page.at(-1)?.sessionId;
    if (page.length < PAGE) return units;
  }
}

async function findStored(place: SessionDeps, sessionId: string): Promise<SessionUnit> {
  const { session } = await findSession(place, sessionId);
  const [{ appended }, compactions] = [await session.status(), await session.compactions()];
  const current = compactions.filter(({ isUndone }) => !isUndone).map(({ id }) => id);
  return unitOf(place, sessionId, JSON.stringify([appended, current]), 0);
}

function unitOf(place: SessionDeps, sessionId: string, version: string, changedAt: number): SessionUnit {
  const { userId, projectId } = place;
  const open = () => findSession(place, sessionId);
  return storedUnit({ userId, sessionId, version, changedAt, projectId, open });
}
