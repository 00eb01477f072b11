import { StoreError } from "../../../errors/store-errors.ts";
import type { SessionKey } from "../../../ports/store.ts";
import { openRows, type SealedTable } from "../encryption/sealed-rows.ts";
import { fromStoredText, numberOf, textOf, toStoredText } from "../row-values.ts";
import {
  type DialectName,
  type SqlRow,
  type SqlValue,
  type StoreDatabase,
  type StoreTransaction,
  searchedById,
} from "../sql-driver.ts";
import { insertRows, selectIn, type Table } from "../statements.ts";

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

/** Positions of the ids that exist in the session. */
export async function findIds(
  session: SessionScope,
  table: Table,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const source = searchedById(table.name, session.dialect);
  const text = (list: string) =>
    `SELECT id, position FROM ${source} WHERE owner = ? AND session_id = ? AND id IN (${list})`;
  const rows = await selectIn(session.tx, text, session.names, ids.map(toStoredText));
  return new Map(rows.map((row) => [fromStoredText(textOf(row, "id")), numberOf(row, "position")]));
}

/** New rows of a session; the first one has position `at`. */
interface NewRows {
  readonly at: number;
  readonly rows: readonly (readonly SqlValue[])[];
  readonly ids: () => readonly string[];
}

/** @throws StoreError `duplicate-id` if an id exists, in an older or another new row. */
export async function insertUnique(session: SessionScope, table: Table, { at, rows, ids }: NewRows): Promise<void> {
  if ((await insertRows(session.tx, table, rows)) === rows.length) return;
  const all = ids();
  const found = await findIds(session, table, all);
  const seen = new Set<string>();
  // The size of the set shows if an id is new.
  const taken = all.find((id, i) => (found.get(id) ?? at) < at || seen.add(id).size === i);
  const place = `session ${session.key.sessionId} (${table.name})`;
  throw new StoreError("duplicate-id", `Duplicate id ${JSON.stringify(taken)} in ${place}.`);
}
