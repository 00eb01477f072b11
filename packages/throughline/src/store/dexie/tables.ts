import type { Table } from "dexie";
import type { Message } from "../../message/message.ts";
import type { StoredBlob } from "../../ports/blob-store.ts";
import type { StoredDocument } from "../../ports/document-store.ts";
import type { Contradiction, Turn } from "../../ports/memory.ts";
import type { JournalEntry, StoredMemory, StoredSearchEntry } from "../../ports/memory-store.ts";
import type { StoredCompaction, StoredReceipt } from "../../ports/store.ts";
import type { Conversation } from "./dexie-store.ts";

// What is asked for stands in columns of its own beside the whole value. A column that is not there keeps its row out
// of the indexes that have it.

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
  /** Of each part the owner, the session and its id. */
  readonly partKeys: readonly (readonly [owner: string, sessionId: string, partId: string])[];
  readonly message: Message;
}

/** Who holds something, and until when, in milliseconds since 1970. */
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

/** The how manieth of its session, with its value. */
interface RowInSession<T> {
  readonly owner: string;
  readonly sessionId: string;
  readonly position: number;
  readonly id: string;
  readonly value: T;
}

/** Somebody else, of whom something is said. */
export type Mention = readonly [space: string, id: string];

export interface MemoryRow extends StoredMemory {
  readonly space: string;
  readonly id: string;
  readonly category?: string;
  readonly lastSeen: number;
  readonly confidence: number;
  readonly lastSeenConversationId?: string;
  /** The beginnings of the slot and the fingerprint. */
  readonly slotKey?: string;
  readonly fingerprintKey: string;
  /** There where it has a category. */
  readonly ofChat?: 1;
  /** There where it holds and is not put away. */
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
  readonly turn: Turn;
}

export interface EntryRow extends StoredSearchEntry {
  readonly space: string;
  /** The embedder, or 0 where there is no vector. */
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

/** The tables of the database as its last migration leaves them. */
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
