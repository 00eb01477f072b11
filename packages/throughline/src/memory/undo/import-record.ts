import { isRecord } from "../../internal/json.ts";
import type { Clock } from "../../ports/clock.ts";
import { COMMIT_HISTORY, type DocumentStore, type SessionKey, type Store } from "../../ports/store.ts";
import { newId } from "../ids.ts";
import { type Caller, spaceOf } from "../space/spaces.ts";

/** Record of everything that an import wrote, so that it can be undone as a whole. Plain data. */
export interface ImportRecord {
  readonly version: 1;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Files, folders and repositories that were imported. */
  readonly sources: readonly string[];
  /**
   * Positions of the appended messages by session, `to` exclusive. An undone import has those that are still stored.
   */
  readonly sessions: Readonly<Record<string, { readonly from: number; readonly to: number }>>;
  /** Ids of the new turns. */
  readonly turns: readonly string[];
  /** Ids of the journal entries by space, oldest first. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
  /** Spaces in which it stored a history of commits. Default: none. */
  readonly histories?: readonly string[];
  /** Set when the import was undone. */
  readonly undoneAt?: number;
}

interface RecordDeps extends Pick<Caller, "userId"> {
  readonly documents: DocumentStore;
}

/** Additions of one write of a running import. */
type ImportPart = Pick<ImportRecord, "sessions" | "turns" | "entries" | "histories">;

const NO_PART: ImportPart = { sessions: {}, turns: [], entries: {} };
const PREFIX = "import/";
const PART_PREFIX = "import-part/";
const PART_DIGITS = 9;
const MAX_TRIES = 20;

/**
 * Adds to the record of a running import, at a cost that does not depend on the size of the record.
 *
 * @returns overwrites the part with an empty one
 */
async function writeImportPart(
  { documents, userId }: RecordDeps,
  id: string,
  { number, part }: { readonly number: number; readonly part: Partial<ImportPart> },
): Promise<() => Promise<unknown>> {
  const space = spaceOfUser(userId);
  const name = `${PART_PREFIX}${id}/${String(number).padStart(PART_DIGITS, "0")}`;
  await documents.put(space, name, { revision: 0, value: { ...NO_PART, ...part } });
  return () => documents.put(space, name, { revision: 1, value: NO_PART });
}

/** Writes a whole record, in place of an earlier version of it and its parts. */
export async function writeImportRecord({ documents, userId }: RecordDeps, record: ImportRecord): Promise<void> {
  const [space, name] = [spaceOfUser(userId), PREFIX + record.id];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const stored = await documents.get(space, name);
    if (await documents.put(space, name, { revision: stored?.revision ?? 0, value: record })) break;
  }
  const prefix = `${PART_PREFIX}${record.id}/`;
  if ((await documents.list(space, prefix)).length > 0) await documents.delete(space, { prefix });
}

/** The record of an import; `undefined` if there is none. */
export async function readImportRecord(
  { documents, userId }: RecordDeps,
  id: string,
): Promise<ImportRecord | undefined> {
  const space = spaceOfUser(userId);
  const value = (await documents.get(space, PREFIX + id))?.value;
  if (!isRecord(value) || value.version !== 1) return undefined;
  const record = value as unknown as ImportRecord;
  if (record.undoneAt !== undefined) return record;
  const parts: ImportPart[] = [];
  for (const name of await documents.list(space, `${PART_PREFIX}${id}/`)) {
    const part = (await documents.get(space, name))?.value;
    if (isRecord(part)) parts.push(part as unknown as ImportPart);
  }
  return withParts(record, parts);
}

/** The union of a record and its parts, which it may include already. */
function withParts(record: ImportRecord, parts: readonly ImportPart[]): ImportRecord {
  if (parts.length === 0) return record;
  const sessions = new Map(Object.entries(record.sessions));
  const turns = new Set(record.turns);
  const entries = new Map(Object.entries(record.entries).map(([space, ids]) => [space, new Set(ids)]));
  const histories = new Set(record.histories);
  for (const part of parts) {
    for (const space of part.histories ?? []) histories.add(space);
    for (const [id, { from, to }] of Object.entries(part.sessions)) {
      const known = sessions.get(id) ?? { from, to };
      sessions.set(id, { from: Math.min(from, known.from), to: Math.max(to, known.to) });
    }
    for (const id of part.turns) turns.add(id);
    for (const [space, ids] of Object.entries(part.entries)) {
      const known = entries.get(space) ?? new Set();
      for (const id of ids) known.add(id);
      entries.set(space, known);
    }
  }
  return {
    ...record,
    sessions: Object.fromEntries(sessions),
    turns: [...turns],
    histories: [...histories],
    entries: Object.fromEntries([...entries].map(([space, ids]) => [space, [...ids]])),
  };
}

/** The records of all imports, the latest first. */
export async function listImportRecords(deps: RecordDeps): Promise<readonly ImportRecord[]> {
  const names = await deps.documents.list(spaceOfUser(deps.userId), PREFIX);
  const records: ImportRecord[] = [];
  for (const name of names) {
    const record = await readImportRecord(deps, name.slice(PREFIX.length));
    if (record !== undefined) records.push(record);
  }
  return records.sort((a, b) => b.at - a.at);
}

/** Items that import records no longer name, because they are erased. */
interface ErasedItems {
  readonly sessions: ReadonlySet<string>;
  /** Ids of turns. Default: none. */
  readonly turns?: ReadonlySet<string>;
}

/** Removes a session that is about to be purged, with its turns, from all records. */
export async function removeSessionFromImports(
  { documents, memories }: Pick<Store, "documents" | "memories">,
  { userId, sessionId }: SessionKey,
): Promise<void> {
  const turns = await memories.list(spaceOfUser(userId), "turns", { sessionId });
  const erased = { sessions: new Set([sessionId]), turns: new Set(turns.map(({ id }) => id)) };
  await removeFromImportRecords({ documents, userId }, erased);
}

/** Removes erased items from all records. Items stored later under the same ids do not belong to these imports. */
export async function removeFromImportRecords(deps: RecordDeps, { sessions, turns }: ErasedItems): Promise<void> {
  if (sessions.size === 0) return;
  for (const record of await listImportRecords(deps)) {
    const leftSessions = Object.entries(record.sessions).filter(([id]) => !sessions.has(id));
    const leftTurns = record.turns.filter((id) => turns?.has(id) !== true);
    const isSame =
      leftSessions.length === Object.keys(record.sessions).length && leftTurns.length === record.turns.length;
    if (isSame) continue;
    await writeImportRecord(deps, { ...record, sessions: Object.fromEntries(leftSessions), turns: leftTurns });
  }
}

function spaceOfUser(userId: string): string {
  return spaceOf("user-private", { userId, projectId: undefined });
}

/** A running import. Everything that is written through `store` belongs to it. */
export interface RecordedImport<S extends Store> {
  readonly id: string;
  readonly store: S;
  /** Combines the parts of the record at the end of the import. Returns `false` if it wrote nothing. */
  save(): Promise<boolean>;
}

interface RecordOptions {
  readonly userId: string;
  readonly clock: Clock;
  /** Files, folders and repositories that are imported. */
  readonly sources: readonly string[];
}

/**
 * Wraps a store so that everything an import writes is recorded, write by write. The record comes first, so that a
 * killed import can be undone completely.
 */
export function recordImport<S extends Store>(store: S, { userId, clock, sources }: RecordOptions): RecordedImport<S> {
  const at = clock.now();
  const id = newId("imp", at);
  const deps = { documents: store.documents, userId };
  let head: Promise<void> | undefined;
  let parts = 0;
  const recorded: WriteRecorded = async (part, write) => {
    parts += 1;
    const number = parts;
    head ??= writeImportRecord(deps, { version: 1, id, at, sources, sessions: {}, turns: [], entries: {} });
    await head;
    const withdraw = await writeImportPart(deps, id, { number, part });
    const isDone = await write();
    if (!isDone) await withdraw();
    return isDone;
  };
  return {
    id,
    store: { ...store, ...recordedParts(store, at, recorded) },
    async save() {
      const record = parts === 0 ? undefined : await readImportRecord(deps, id);
      if (record === undefined) return false;
      await writeImportRecord(deps, record);
      return true;
    },
  };
}

/** Records a part of an import, then writes it. If the write is refused, the record of the part is withdrawn. */
type WriteRecorded = (part: Partial<ImportPart>, write: () => Promise<boolean>) => Promise<boolean>;

/** The parts of a store that an import writes to. */
function recordedParts(
  { messages, documents, memories }: Store,
  at: number,
  recorded: WriteRecorded,
): Pick<Store, "messages" | "documents" | "memories"> {
  return {
    messages: {
      ...messages,
      async append(key, from, list) {
        const write = () => messages.append(key, from, list);
        if (list.length === 0) return write();
        return recorded({ sessions: { [key.sessionId]: { from, to: from + list.length } } }, write);
      },
    },
    documents: {
      ...documents,
      async put(space, name, document) {
        const write = () => documents.put(space, name, document);
        return name === COMMIT_HISTORY ? recorded({ histories: [space] }, write) : write();
      },
    },
    memories: {
      ...memories,
      async commit(space, commit) {
        const ids = (commit.turns ?? []).map((turn) => turn.id);
        const known = new Set((await memories.get(space, "turns", ids)).map((turn) => turn.id));
        const turns = ids.filter((one) => !known.has(one));
        // An imported export has entries of its own past, which are no changes here.
        const own = (commit.journal ?? []).filter((entry) => entry.at >= at).map((entry) => entry.id);
        const write = () => memories.commit(space, commit);
        if (turns.length + own.length === 0) return write();
        return recorded({ turns, ...(own.length > 0 && { entries: { [space]: own } }) }, write);
      },
    },
  };
}
