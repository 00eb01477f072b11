import { type Collection, Dexie, type Table } from "dexie";
import { StoreError } from "../../errors/store-errors.ts";
import type { Message } from "../../message/message.ts";
import type { Contradiction, Utterance } from "../../ports/memory.ts";
import type { JournalEntry, StoredMemory, StoredSearchEntry } from "../../ports/memory-store.ts";
import type { StoredBlob, StoredCompaction, StoredDocument, StoredReceipt } from "../../ports/store.ts";
import type { Conversation } from "./dexie-store.ts";

// Indexed fields are columns beside the whole value. A missing column keeps its row out of the indexes that use it.

interface ConversationRow {
  readonly owner: string;
  readonly id: string;
  readonly conversation: Conversation;
}

export interface MessageRow {
  readonly owner: string;
  readonly sessionId: string;
  readonly position: number;
  readonly id: string;
  /** Owner, session and id of each part. */
  readonly partKeys: readonly (readonly [owner: string, sessionId: string, partId: string])[];
  readonly message: Message;
}

/** Holder of a lease and its end in milliseconds since 1970. */
export interface Lease {
  readonly holder: string;
  readonly until: number;
}

export interface SessionRow {
  readonly owner: string;
  readonly sessionId: string;
  readonly appended: number;
  readonly revision: number;
  readonly compactions: number;
  readonly receipts: number;
  readonly lastCompactionAt?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lease?: Lease;
}

interface StateRow {
  readonly owner: string;
  readonly sessionId: string;
  readonly state: unknown;
}

interface MarkRow {
  readonly owner: string;
  readonly sessionId: string;
  readonly partId: string;
  readonly at: number;
}

/** A value with its position in the session. */
interface RowInSession<T> {
  readonly owner: string;
  readonly sessionId: string;
  readonly position: number;
  readonly id: string;
  readonly value: T;
}

/** Reference to another memory. */
export type Mention = readonly [space: string, id: string];

export interface MemoryRow extends StoredMemory {
  readonly space: string;
  readonly id: string;
  readonly category?: string;
  readonly lastSeen: number;
  readonly confidence: number;
  readonly lastSeenConversationId?: string;
  /** Prefixes of the slot and the fingerprint. */
  readonly slotKey?: string;
  readonly fingerprintKey: string;
  /** Present if it has a category. */
  readonly ofChat?: 1;
  /** Present if it is valid and not archived. */
  readonly current?: 1;
  readonly mentions: readonly Mention[];
}

export interface SpaceRow {
  readonly space: string;
  readonly revision: number;
  readonly epoch: number;
}

export interface TurnRow {
  readonly space: string;
  readonly id: string;
  readonly sessionId: string;
  readonly position: number;
  readonly turn: Utterance;
}

export interface EntryRow extends StoredSearchEntry {
  readonly space: string;
  /** Embedder name, or 0 if there is no vector. */
  readonly madeWith: string | 0;
}

export interface ContradictionRow {
  readonly space: string;
  readonly id: string;
  readonly memoryA: string;
  readonly memoryB: string;
  readonly status: string;
  readonly contradiction: Contradiction;
}

export interface JournalRow {
  readonly space: string;
  readonly id: string;
  readonly revision: number;
  readonly position: number;
  readonly mentions: readonly Mention[];
  readonly entry: JournalEntry;
}

interface JudgementRow {
  readonly space: string;
  readonly key: string;
  readonly mentions: readonly Mention[];
  readonly contradicts: boolean;
}

interface LeaseRow extends Lease {
  readonly space: string;
  readonly work: string;
}

interface DocumentRow extends StoredDocument {
  readonly space: string;
  readonly name: string;
}

export interface BlobRow extends StoredBlob {
  readonly space: string;
}

type OfSession = [owner: string, sessionId: string];
type InSession = [owner: string, sessionId: string, position: number];
type InSpace = [space: string, id: string];

/** Tables of the latest schema version. */
export interface Tables {
  readonly conversations: Table<ConversationRow, [owner: string, id: string]>;
  readonly messages: Table<MessageRow, InSession>;
  readonly sessions: Table<SessionRow, OfSession>;
  readonly states: Table<StateRow, OfSession>;
  readonly marks: Table<MarkRow, [owner: string, sessionId: string, partId: string]>;
  readonly compactions: Table<RowInSession<StoredCompaction>, InSession>;
  readonly receipts: Table<RowInSession<StoredReceipt>, InSession>;
  readonly memory: Table<MemoryRow, InSpace>;
  readonly spaces: Table<SpaceRow, string>;
  readonly turns: Table<TurnRow, InSpace>;
  readonly entries: Table<EntryRow, InSpace>;
  readonly contradictions: Table<ContradictionRow, InSpace>;
  readonly journal: Table<JournalRow, InSpace>;
  readonly judgements: Table<JudgementRow, InSpace>;
  readonly leases: Table<LeaseRow, InSpace>;
  readonly documents: Table<DocumentRow, InSpace>;
  readonly blobs: Table<BlobRow, InSpace>;
}

export type TableName = keyof Tables;

/** @throws StoreError `duplicate-id` if an id exists, in an older or another new row. */
export async function addUnique<Row extends { readonly id: string }, Key>(
  table: Table<Row, Key>,
  rows: readonly Row[],
  what: string,
): Promise<void> {
  try {
    await table.bulkAdd(rows);
  } catch (error) {
    if (!(error instanceof Dexie.BulkError)) throw error;
    const [place, failure] = Object.entries(error.failuresByPos)[0] ?? [];
    if (failure?.name !== "ConstraintError") throw error;
    throw taken(what, rows[Number(place)]?.id);
  }
}

/** @throws StoreError `duplicate-id` if one of them exists. */
export async function refuseTaken<Row extends { readonly id: string }, Key>(
  table: Table<Row, Key>,
  keys: readonly Key[],
  what: string,
): Promise<void> {
  const known = (await table.bulkGet([...keys])).find((row) => row !== undefined);
  if (known !== undefined) throw taken(what, known.id);
}

/** @throws StoreError `duplicate-id` if one occurs twice. */
export function refuseTwice(what: string, ids: readonly string[]): void {
  const twice = ids.length > new Set(ids).size && ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== false) throw taken(what, twice);
}

function taken(what: string, id: string | undefined): StoreError {
  return new StoreError("duplicate-id", `Duplicate id of a ${what}: ${JSON.stringify(id)}.`);
}

type KeyPart = string | number;

/** Rows whose index key starts with these parts, in order of the rest; or only those after a given rest. */
export function beginningWith<Row, Key>(
  table: Table<Row, Key>,
  index: string,
  parts: readonly KeyPart[],
  after?: KeyPart,
): Collection<Row, Key> {
  const end = [...parts, Dexie.maxKey];
  // A shorter key sorts before all its extensions.
  if (after === undefined) return table.where(index).between([...parts], end, true, true);
  return table.where(index).between([...parts, after], end, false, true);
}

/** Reads at most `limit` rows; all rows if the limit exceeds the database's range. */
export async function atMost<Row, Key>(rows: Collection<Row, Key>, limit = Number.POSITIVE_INFINITY): Promise<Row[]> {
  if (limit <= 0) return [];
  return limit < 2 ** 32 ? rows.limit(limit).toArray() : rows.toArray();
}
