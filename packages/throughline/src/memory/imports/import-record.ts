import { isRecord } from "../../internal/json.ts";
import type { DocumentStore } from "../../ports/document-store.ts";
import type { SessionKey, Store } from "../../ports/store.ts";
import { type Caller, spaceOf } from "../service/spaces.ts";

/** What an import wrote, so that it can be undone as a whole. Plain data. */
export interface ImportRecord {
  readonly version: 1;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Files, folders and repositories that were imported. */
  readonly sources: readonly string[];
  /** Positions of the appended messages by session, `to` exclusive. An undone import has those that are still stored. */
  readonly sessions: Readonly<Record<string, { readonly from: number; readonly to: number }>>;
  /** Ids of the new turns. */
  readonly turns: readonly string[];
  /** Ids of the journal entries by space, oldest first. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
  /** Set when the import was undone. */
  readonly undoneAt?: number;
}

interface RecordDeps extends Pick<Caller, "owner"> {
  readonly documents: DocumentStore;
}

const PREFIX = "import/";
const TRIES = 20;

/** Writes a record, in place of an earlier version of it. */
export async function writeImportRecord({ documents, owner }: RecordDeps, record: ImportRecord): Promise<void> {
  const [space, name] = [spaceOfOwner(owner), PREFIX + record.id];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const stored = await documents.get(space, name);
    if (await documents.put(space, name, { revision: stored?.revision ?? 0, value: record })) return;
  }
}

/** The record of an import; `undefined` if there is none. */
export async function readImportRecord(
  { documents, owner }: RecordDeps,
  id: string,
): Promise<ImportRecord | undefined> {
  const value = (await documents.get(spaceOfOwner(owner), PREFIX + id))?.value;
  return isRecord(value) && value.version === 1 ? (value as unknown as ImportRecord) : undefined;
}

/** The records of all imports, the latest first. */
export async function listImportRecords(deps: RecordDeps): Promise<readonly ImportRecord[]> {
  const names = await deps.documents.list(spaceOfOwner(deps.owner), PREFIX);
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
  { owner, sessionId }: SessionKey,
): Promise<void> {
  const turns = await memories.list(spaceOfOwner(owner), "turns", { sessionId });
  const erased = { sessions: new Set([sessionId]), turns: new Set(turns.map(({ id }) => id)) };
  await removeFromImportRecords({ documents, owner }, erased);
}

/** Removes erased items from all records. What is stored later under the same ids does not belong to these imports. */
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

function spaceOfOwner(owner: string): string {
  return spaceOf("user-private", { owner, projectId: undefined });
}
