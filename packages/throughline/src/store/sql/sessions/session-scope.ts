import type { SessionKey } from "../../../ports/store.ts";
import type { DialectName } from "../dialect.ts";
import { openRows, type SealedTable } from "../encryption/sealed-rows.ts";
import { toStoredText } from "../row-values.ts";
import type { SqlRow, StoreDatabase, StoreTransaction } from "../sql-driver.ts";

/** One session within one transaction. */
export interface SessionScope {
  readonly tx: StoreTransaction;
  readonly dialect: DialectName;
  readonly key: SessionKey;
  /** Owner and id as stored: the first parameters of most statements. */
  readonly names: SessionNames;
}

export type SessionNames = readonly [owner: string, sessionId: string];

export function sessionNames({ userId, sessionId }: SessionKey): SessionNames {
  return [toStoredText(userId), toStoredText(sessionId)];
}

export function readSession<T>(
  database: StoreDatabase,
  key: SessionKey,
  work: (session: SessionScope) => Promise<T>,
): Promise<T> {
  return database.read((tx) => work(scope(database, tx, key)));
}

export function writeSession<T>(
  database: StoreDatabase,
  key: SessionKey,
  work: (session: SessionScope) => Promise<T>,
  isBrief?: boolean,
): Promise<T> {
  return database.write((tx) => work(scope(database, tx, key)), isBrief);
}

function scope({ dialect }: StoreDatabase, tx: StoreTransaction, key: SessionKey): SessionScope {
  return { tx, dialect, key, names: sessionNames(key) };
}

/** Decrypts rows of the session. */
export function openSessionRows(
  { tx, names }: SessionScope,
  table: SealedTable,
  rows: readonly SqlRow[],
): readonly SqlRow[] {
  const [owner, sessionId] = names;
  return openRows(tx, table, rows, { owner, session_id: sessionId });
}
