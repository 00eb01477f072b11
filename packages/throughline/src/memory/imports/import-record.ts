import { isRecord } from "../../internal/json.ts";
import type { DocumentStore, SessionKey, Store } from "../../ports/store.ts";
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
export type ImportPart = Pick<ImportRecord, "sessions" | "turns" | "entries" | "histories">;

const NO_PART: ImportPart = { sessions: {}, turns: [], entries: {} };
const PREFIX = "import/";
const PART_PREFIX = "import-part/";
const PART_DIGITS = 9;
const TRIES = 20;

/**
 * Adds to the record of a running import, at a cost that does not depend on the size of the record.
 *
 * @returns overwrites the part with an empty one
 */
export async function writeImportPart(
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
  for (let tries = 0; tries < TRIES; tries += 1) {
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
