import { NotFoundError } from "../errors/not-found-error.ts";
import { isRecord, omitUndefined } from "../message/read-json.ts";
import type { DocumentShelf } from "../ports/documents.ts";
import type { Session } from "../session/session.ts";
import type { SessionOptions, Throughline } from "../throughline.ts";

// How a session was opened is kept with the user's other documents: any server goes on with it as it was.

/** What a session can be opened with from outside. */
export type KeptOptions = Pick<SessionOptions, "modelId" | "contextLimit" | "outputReserve" | "profile" | "remember">;

export interface SessionPlace {
  readonly documents: DocumentShelf;
  readonly userId: string;
  /** What was opened in one project is not seen from another; what was opened in none is seen from everywhere. */
  readonly projectId: string | undefined;
  readonly throughline: Throughline;
}

interface KeptSession {
  readonly options?: KeptOptions;
  readonly projectId?: string;
}

export interface OpenedSession {
  readonly session: Session;
  readonly options: KeptOptions;
}

export function userSpace(userId: string): string {
  return `user:${userId}`;
}

function nameOf(id: string): string {
  return `session-options:${id}`;
}

/** Opens a session for the first time; `undefined` where one of that id is there. */
export async function createSession(
  { documents, userId, projectId, throughline }: SessionPlace,
  id: string,
  options: KeptOptions,
): Promise<OpenedSession | undefined> {
  const isNew = (await throughline.session(id).status()).appended === 0;
  const value: KeptSession = omitUndefined({ options, projectId });
  if (!isNew || !(await documents.put(userSpace(userId), nameOf(id), { revision: 0, value }))) return undefined;
  return { session: openWith(throughline, id, options), options };
}

/**
 * Opens a session that is there.
 *
 * @throws NotFoundError where there is none of that id that can be seen from here.
 */
export async function findSession(place: SessionPlace, id: string): Promise<OpenedSession> {
  const kept = await readKept(place, id);
  const { options = {} } = kept ?? {};
  const session = openWith(place.throughline, id, options);
  // One that came by another way, an import perhaps, has messages and nothing else.
  const isThere = kept === undefined ? (await session.status()).appended > 0 : isSeen(kept, place);
  if (!isThere) throw new NotFoundError(`Session ${id}`, "here");
  return { session, options };
}

/** Those of these sessions that can be seen from the caller's project. */
export async function seenSessions<T extends { readonly sessionId: string }>(
  place: SessionPlace,
  sessions: readonly T[],
): Promise<readonly T[]> {
  const kept = await Promise.all(sessions.map(({ sessionId }) => readKept(place, sessionId)));
  return sessions.filter((_, index) => isSeen(kept[index] ?? {}, place));
}

async function readKept({ documents, userId }: SessionPlace, id: string): Promise<KeptSession | undefined> {
  const kept = await documents.get(userSpace(userId), nameOf(id));
  return isRecord(kept?.value) ? kept.value : undefined;
}

function isSeen(kept: KeptSession, place: SessionPlace): boolean {
  return kept.projectId === undefined || kept.projectId === place.projectId;
}

/** Who reads along is a job here: it goes on when this process ends. */
function openWith(throughline: Throughline, id: string, { remember: _, ...options }: KeptOptions): Session {
  return throughline.session(id, options);
}

/** Erases a session with everything of it. */
export async function eraseSession({ documents, userId, throughline }: SessionPlace, id: string): Promise<void> {
  await throughline.purgeSession(id);
  await documents.erase(userSpace(userId), nameOf(id));
  await documents.erase(userSpace(userId), extractedName(id));
}

/** Where it is noted up to where a session was read for memories. */
export function extractedName(id: string): string {
  return `extracted:${id}`;
}
