import type { Message } from "../message/message.ts";

/** Keeps what sessions are made of. History is append-only; a session's state is replaced as a whole. */
export interface Store {
  /** Adds messages and the state that takes them into account, both or neither. */
  append(sessionId: string, messages: readonly Message[], state: unknown): Promise<void>;
  /** Everything ever appended, in order. */
  history(sessionId: string): Promise<readonly Message[]>;
  loadState(sessionId: string): Promise<unknown>;
  saveState(sessionId: string, state: unknown): Promise<void>;
  /** Adds a record of a kind: compaction events, receipts. */
  addRecord(sessionId: string, record: StoredRecord): Promise<void>;
  records(sessionId: string, kind: string): Promise<readonly StoredRecord[]>;
  /** Takes a lease until that time; `false` where somebody else holds it. */
  acquire(lease: Lease, now: number): Promise<boolean>;
  release(lease: Lease): Promise<void>;
  close(): Promise<void>;
}

export interface StoredRecord {
  readonly kind: string;
  readonly id: string;
  readonly value: unknown;
}

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly expiresAt: number;
}
