import { NotFoundError, type Session, type SessionOptions, type Throughline } from "throughline";
import { type DocumentStore, isRecord, omitUndefined } from "throughline/internal";

// How a session was opened is kept with the user's other documents: any server goes on with it as it was.

/** What a session can be opened with from outside. */
export type KeptOptions = Pick<SessionOptions, "modelId" | "contextLimit" | "outputReserve" | "profile" | "remember">;

export interface SessionPlace {
  readonly documents: DocumentStore;
  readonly userId: string;
  /** What was opened in one project is not seen from another; what was opened in none is seen from everywhere. */
  readonly projectId: string | undefined;
  readonly throughline: Throughline;
}

interface KeptSession {
  readonly options?: KeptOptions;
  readonly projectId?: string;
  /** The id that callers know it by, if it is stored under another. */
  readonly id?: string;
}

export interface OpenedSession {
  /** Its own id may differ from the one that callers know it by. */
  readonly session: Session;
  readonly options: KeptOptions;
}

export function userSpace(userId: string): string {
  return `user:${userId}`;
}

function nameOf(id: string): string {
  return `session-options:${id}`;
}

/**
 * The id under which a session is stored: the given one, or an alias of the caller's project if another project used that
 * id when the session was created, so that nobody learns which ids other projects use. The alias stays in use after the
 * other project purges its session.
 */
async function locate(place: SessionPlace, id: string): Promise<{ storedId: string; kept: KeptSession | undefined }> {
  const kept = await readKept(place, id);
  if (kept !== undefined && kept.projectId === place.projectId) return { storedId: id, kept };
  const alias = JSON.stringify([place.projectId ?? null, id]);
  const aliased = await readKept(place, alias);
  const isFree = kept === undefined || isSeen(kept, place);
  return aliased === undefined && isFree ? { storedId: id, kept } : { storedId: alias, kept: aliased };
}

/** Opens a session for the first time; `undefined` where one of that id is there. */
export async function createSession(
  place: SessionPlace,
  id: string,
  options: KeptOptions,
): Promise<OpenedSession | undefined> {
  const { documents, userId, projectId, throughline } = place;
  // The first place may be taken by another project while this one looks; the second is its own.
  for (let tries = 0; tries < 2; tries += 1) {
    const { storedId, kept } = await locate(place, id);
    const isNew = kept === undefined && (await throughline.session(storedId).status()).appended === 0;
    if (!isNew) return undefined;
    const value: KeptSession = omitUndefined({ options, projectId, id: storedId === id ? undefined : id });
    if (await documents.put(userSpace(userId), nameOf(storedId), { revision: 0, value })) {
      return { session: openWith(throughline, storedId, options), options };
    }
  }
  return undefined;
}

/**
 * Opens a session that is there.
 *
 * @throws NotFoundError where there is none of that id that can be seen from here.
 */
export async function findSession(place: SessionPlace, id: string): Promise<OpenedSession> {
  const { storedId, kept } = await locate(place, id);
  const { options = {} } = kept ?? {};
  const session = openWith(place.throughline, storedId, options);
  // One that came by another way, an import perhaps, has messages and nothing else.
  const isThere = kept === undefined ? (await session.status()).appended > 0 : isSeen(kept, place);
  if (!isThere) throw new NotFoundError(`Session ${id}`, "here");
  return { session, options };
}

/** Those of these sessions that can be seen from the caller's project, under the ids that callers know. */
export async function seenSessions<T extends { readonly sessionId: string }>(
  place: SessionPlace,
  sessions: readonly T[],
): Promise<readonly T[]> {
  const kept = await Promise.all(sessions.map(({ sessionId }) => readKept(place, sessionId)));
  return sessions.flatMap((session, index) => {
    const { id = session.sessionId, ...about } = kept[index] ?? {};
    return isSeen(about, place) ? [{ ...session, sessionId: id }] : [];
  });
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
export async function eraseSession(place: SessionPlace, id: string): Promise<void> {
  const { storedId } = await locate(place, id);
  await eraseStoredSession(place, storedId);
}

/** Erases the session that is stored under this id, whichever project it belongs to. */
export async function eraseStoredSession(
  { documents, userId, throughline }: Omit<SessionPlace, "projectId">,
  storedId: string,
): Promise<void> {
  await throughline.purgeSession(storedId);
  await documents.delete(userSpace(userId), extractedName(storedId));
  // Last: it says where the rest is.
  await documents.delete(userSpace(userId), nameOf(storedId));
}

/** Where it is noted up to where a session was read for memories. */
export function extractedName(id: string): string {
  return `extracted:${id}`;
}
