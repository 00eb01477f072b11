import type { SessionKey } from "../../ports/store.ts";
import type { DialectName } from "./dialect.ts";
import type { SqlDriver, SqlTransaction } from "./sql-driver.ts";
import { toStoredText } from "./stored-text.ts";

/** One session within one transaction. */
export interface SessionScope {
  readonly tx: SqlTransaction;
  readonly dialect: DialectName;
  readonly key: SessionKey;
  /** Its owner and its id as the database keeps them: the first parameters of most statements. */
  readonly names: SessionNames;
}

export type SessionNames = readonly [owner: string, sessionId: string];

export function sessionNames({ owner, sessionId }: SessionKey): SessionNames {
  return [toStoredText(owner), toStoredText(sessionId)];
}

export function readSession<T>(
  database: SqlDriver,
  key: SessionKey,
  work: (session: SessionScope) => Promise<T>,
): Promise<T> {
  return database.read((tx) => work(scope(database, tx, key)));
}

export function writeSession<T>(
  database: SqlDriver,
  key: SessionKey,
  work: (session: SessionScope) => Promise<T>,
): Promise<T> {
  return database.write((tx) => work(scope(database, tx, key)));
}

function scope({ dialect }: SqlDriver, tx: SqlTransaction, key: SessionKey): SessionScope {
  return { tx, dialect, key, names: sessionNames(key) };
}
