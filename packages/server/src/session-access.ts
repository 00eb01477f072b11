import { NotFoundError, type Session, type SessionOptions, type Throughline } from "throughline";
import type { DocumentStore } from "throughline/internal/sql";
import { isRecord, Lru, omitUndefined } from "throughline/internal/util";

// The options of a session are stored with the user's documents, so that every server opens it the same way.

/** Session options that callers can set. */
export type KeptOptions = Pick<SessionOptions, "modelId" | "contextLimit" | "outputReserve" | "profile" | "remember">;

export interface SessionDeps {
  readonly documents: DocumentStore;
  readonly userId: string;
  /** Sessions of one project are not visible in others. Sessions without a project are visible everywhere. */
  readonly projectId: string | undefined;
  readonly throughline: Throughline;
}

interface KeptSession {
  readonly options?: KeptOptions;
  readonly projectId?: string;
  /** The id that callers use, if it differs from the stored one. */
  readonly id?: string;
}

export interface OpenedSession {
  /** Its own id may differ from the one that callers use. */
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
 * The id under which a session is stored: the given one, or an alias of the caller's project if another project used
 * that id when the session was created, so that callers cannot learn which ids other projects use. The alias stays in
 * use after the other project purges its session.
 */
async function locate(place: SessionDeps, id: string): Promise<{ storedId: string; kept: KeptSession | undefined }> {
  const kept = await readKept(place, id);
  if (kept !== undefined && kept.projectId === place.projectId) return { storedId: id, kept };
  const alias = JSON.stringify([place.projectId ?? null, id]);
  const aliased = await readKept(place, alias);
  const isFree = kept === undefined || isSeen(kept, place);
  return aliased === undefined && isFree ? { storedId: id, kept } : { storedId: alias, kept: aliased };
}

/** Creates a session; `undefined` if the id exists. */
export async function createSession(
  place: SessionDeps,
  id: string,
  options: KeptOptions,
): Promise<OpenedSession | undefined> {
  const { documents, userId, projectId, throughline } = place;
  // Another project may take the first place in the meantime; the second one is reserved for this project.
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
 * Opens an existing session.
 *
 * @throws NotFoundError if the caller's project has no session with this id
 */
export async function findSession(place: SessionDeps, id: string): Promise<OpenedSession> {
  const { storedId, kept } = await locate(place, id);
  const { options = {} } = kept ?? {};
  const session = openWith(place.throughline, storedId, options);
  // Sessions from other sources, such as an import, have messages but no options.
  const isThere = kept === undefined ? (await session.status()).appended > 0 : isSeen(kept, place);
  if (!isThere) throw new NotFoundError(`Session ${id}`, "here");
  return { session, options };
}

/** The sessions that the caller's project may see, under the ids that callers use. */
export async function seenSessions<T extends { readonly sessionId: string }>(
  place: SessionDeps,
  sessions: readonly T[],
): Promise<readonly T[]> {
  const kept = await Promise.all(sessions.map(({ sessionId }) => readKept(place, sessionId)));
  return sessions.flatMap((session, index) => {
    const { id = session.sessionId, ...about } = kept[index] ?? {};
    return isSeen(about, place) ? [{ ...session, sessionId: id }] : [];
  });
}

/**
 * Options that were read a moment ago, by store. They never change while a session exists. A session that another
 * server erases is found for at most this many milliseconds more.
 */
const TRUSTED = 2_000;
const MAX_KNOWN = 10_000;
const known = new WeakMap<DocumentStore, Lru<string, { readonly kept: KeptSession; readonly until: number }>>();

function knownIn(documents: DocumentStore) {
  const found = known.get(documents) ?? new Lru({ maxSize: MAX_KNOWN });
  known.set(documents, found);
  return found;
}

async function readKept({ documents, userId }: SessionDeps, id: string): Promise<KeptSession | undefined> {
  const name = JSON.stringify([userId, id]);
  const cache = knownIn(documents);
  const before = cache.get(name);
  if (before !== undefined && before.until > performance.now()) return before.kept;
  const read = await documents.get(userSpace(userId), nameOf(id));
  const kept: KeptSession | undefined = isRecord(read?.value) ? read.value : undefined;
  // A session without options may get some at any time.
  if (kept !== undefined) cache.set(name, { kept, until: performance.now() + TRUSTED });
  return kept;
}

function isSeen(kept: KeptSession, place: SessionDeps): boolean {
  return kept.projectId === undefined || kept.projectId === place.projectId;
}

/** Extracting memories is a job on the server, so that it continues after a restart. */
function openWith(throughline: Throughline, id: string, { remember: _, ...options }: KeptOptions): Session {
  return throughline.session(id, options);
}

/** Erases a session and all its data. */
export async function eraseSession(place: SessionDeps, id: string): Promise<void> {
  const { storedId } = await locate(place, id);
  await eraseStoredSession(place, storedId);
}

/**
 * Erases a session of any project with its messages, its memories and the options that the server keeps for it. This
 * cannot be undone.
 *
 * @param deps Document store of the server, the user whose session it is, and a Throughline instance of that user.
 * @param storedId Id of the session in the store. An unknown id erases nothing.
 *
 * @example
 * const store = sqliteStore("throughline.db");
 * const throughline = await createThroughline({ store, userId: "ada" });
 * await eraseStoredSession({ documents: store.documents, userId: "ada", throughline }, "s1");
 */
export async function eraseStoredSession(
  { documents, userId, throughline }: Omit<SessionDeps, "projectId">,
  storedId: string,
): Promise<void> {
  await throughline.purgeSession(storedId);
  await documents.delete(userSpace(userId), extractedName(storedId));
  // Last, because it locates the rest.
  await documents.delete(userSpace(userId), nameOf(storedId));
  knownIn(documents).delete(JSON.stringify([userId, storedId]));
}

/** Name of the document with the position up to which memories were extracted. */
export function extractedName(id: string): string {
  return `extracted:${id}`;
}
