import { yieldToEventLoop } from "../../../internal/yield-to-event-loop.ts";
import type {
  Commit,
  SessionHead,
  SessionKey,
  SessionStore,
  SessionSummary,
  StoredReceipt,
} from "../../../ports/store.ts";
import { isCount, numberOf, pack, toStoredText, unpack } from "../row-values.ts";
import {
  type SqlDriver,
  type SqlRow,
  type SqlTransaction,
  type SqlValue,
  type StoreDatabase,
  searchedById,
} from "../sql-driver.ts";
import { forLists, insertRows, limited, selectIn, type Table } from "../statements.ts";
import { PARTS } from "./message-log.ts";
import {
  COMPACTIONS,
  compactionValues,
  HEAD_COLUMNS,
  latestLeaseEnd,
  leaseEnd,
  RECEIPTS,
  readCompactionRow,
  readHeadRow,
  readReceiptRow,
  readSummaryRow,
  receiptValues,
  STATES,
} from "./session-rows.ts";
import {
  insertUnique,
  openSessionRows,
  readSession,
  type SessionScope,
  sessionNames,
  writeSession,
} from "./session-scope.ts";

const OF_SESSION = "WHERE owner = ? AND session_id = ?";
const ABSENT: SessionHead = {
  appended: 0,
  revision: 0,
  compactions: 0,
  receipts: 0,
  lastCompactionAt: undefined,
  isCompacting: false,
};

/** Session data other than messages, in a SQL database. */
export function sqlSessionStore(database: StoreDatabase): SessionStore {
  return {
    head: (key) => readSession(database, key, (session) => head(database, session)),
    state: (key) => readSession(database, key, state),
    commit: (key, commit) => writeCommit(database, key, commit),
    compactions: (key, ids) =>
      readSession(database, key, (session) =>
        ids === undefined ? allCompactions(session) : someCompactions(session, ids),
      ),
    receipts: (key, limit) => readSession(database, key, (session) => receipts(session, limit)),
    lease: (key, holder, milliseconds) =>
      milliseconds > 0 ? acquireLease(database, key, holder, milliseconds) : releaseLease(database, key, holder),
    list: (owner, page = {}) => database.read((tx) => list(database, tx, owner, page)),
    purge: (key) => purge(database, key),
  };
}

async function head(database: SqlDriver, { tx, names }: SessionScope): Promise<SessionHead> {
  const rows = await tx.all(`SELECT ${HEAD_COLUMNS} FROM sessions WHERE owner = ? AND id = ?`, names);
  const now = await leaseTime(database, tx, rows);
  return rows[0] ? readHeadRow(rows[0], now) : ABSENT;
}

/** Current time; skipped if there is no lease. */
async function leaseTime(database: SqlDriver, tx: SqlTransaction, rows: readonly SqlRow[]): Promise<number> {
  return rows.some((row) => row.currently_compacting !== null) ? await database.now(tx) : 0;
}

async function state(session: SessionScope): Promise<unknown> {
  const rows = await session.tx.all(`SELECT state, state_packed FROM session_states ${OF_SESSION}`, session.names);
  const [row] = openSessionRows(session, STATES, rows);
  return row && unpack(row, "state");
}

async function allCompactions(session: SessionScope) {
  const columns = COMPACTIONS.columns.join(", ");
  const text = `SELECT ${columns} FROM compaction_events ${OF_SESSION} ORDER BY position`;
  const rows = await session.tx.all(text, session.names);
  return openSessionRows(session, COMPACTIONS, rows).map(readCompactionRow);
}

async function someCompactions(session: SessionScope, ids: readonly string[]) {
  const { tx, dialect, names } = session;
  const columns = COMPACTIONS.columns.join(", ");
  const source = searchedById(COMPACTIONS.name, dialect);
  const text = (list: string) => `SELECT ${columns} FROM ${source} ${OF_SESSION} AND id IN (${list})`;
  const rows = await selectIn(tx, text, names, [...new Set(ids)].map(toStoredText));
  rows.sort((a, b) => numberOf(a, "position") - numberOf(b, "position"));
  return openSessionRows(session, COMPACTIONS, rows).map(readCompactionRow);
}

async function receipts(session: SessionScope, limit: number | undefined): Promise<StoredReceipt[]> {
  const select = `SELECT ${RECEIPTS.columns.join(", ")} FROM receipts ${OF_SESSION} ORDER BY position DESC`;
  const rows = await session.tx.all(...limited(select, session.names, limit));
  return openSessionRows(session, RECEIPTS, rows.toReversed()).map(readReceiptRow);
}

async function list(
  database: SqlDriver,
  tx: SqlTransaction,
  owner: string,
  { after, limit }: NonNullable<Parameters<SessionStore["list"]>[1]>,
): Promise<SessionSummary[]> {
  const select = `SELECT id, created_at, updated_at, ${HEAD_COLUMNS} FROM sessions WHERE owner = ?`;
  const [behind, params] = after === undefined ? ["", [owner]] : ["AND id > ?", [owner, after]];
  const rows = await tx.all(...limited(`${select} ${behind} ORDER BY id`, params.map(toStoredText), limit));
  const now = await leaseTime(database, tx, rows);
  return rows.map((row) => readSummaryRow(row, now));
}

/** Messages per delete statement: SQLite blocks the thread while it runs. */
const DELETED_AT_ONCE = 200;

async function purge(database: StoreDatabase, key: SessionKey): Promise<void> {
  const names = sessionNames(key);
  await database.erase(async (tx) => {
    const [found] = await tx.all("SELECT appended FROM sessions WHERE owner = ? AND id = ?", names);
    const appended = found === undefined ? 0 : numberOf(found, "appended");
    for (let end = DELETED_AT_ONCE; end < appended; end += DELETED_AT_ONCE) {
      await tx.run(`DELETE FROM messages ${OF_SESSION} AND position < ?`, [...names, end]);
      await yieldToEventLoop();
    }
    await tx.run("DELETE FROM sessions WHERE owner = ? AND id = ?", names);
  });
}

/** Takes or renews the lease, by the database's clock. */
function acquireLease(database: SqlDriver, key: SessionKey, holder: string, milliseconds: number): Promise<boolean> {
  const names = sessionNames(key);
  const name = toStoredText(holder);
  return database.write(async (tx) => {
    const now = await database.now(tx);
    const until = leaseEnd(now, milliseconds);
    const taken = await tx.run(
      `UPDATE sessions SET currently_compacting = ?, compacting_by = ?
       WHERE owner = ? AND id = ? AND
         (compacting_by IS NULL OR compacting_by = ? OR currently_compacting <= ? OR currently_compacting > ?)`,
      [until, name, ...names, name, now, latestLeaseEnd(now)],
    );
    if (taken > 0) return true;
    // Another writer may have created the row meanwhile, without a lease.
    const created = await tx.run(
      `INSERT INTO sessions (owner, id, created_at, updated_at, currently_compacting, compacting_by)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner, id) DO UPDATE SET currently_compacting = excluded.currently_compacting,
         compacting_by = excluded.compacting_by
       WHERE sessions.compacting_by IS NULL`,
      [...names, now, now, until, name],
    );
    return created > 0;
  });
}

/** Releases the lease, if the holder has it. */
async function releaseLease(database: SqlDriver, key: SessionKey, holder: string): Promise<false> {
  await database.write((tx) =>
    tx.run(
      `UPDATE sessions SET currently_compacting = NULL, compacting_by = NULL
       WHERE owner = ? AND id = ? AND compacting_by = ?`,
      [...sessionNames(key), toStoredText(holder)],
    ),
  );
  return false;
}

/** Writes the whole commit; `false` if another writer committed since. */
async function writeCommit(database: StoreDatabase, key: SessionKey, commit: Commit): Promise<boolean> {
  if (!isCount(commit.revision)) return false;
  const { compactions = [], receipts = [], marks = new Map<string, number>() } = commit;
  // Built before the transaction starts, so that others do not wait.
  const state = pack(commit.state);
  const compactionRows = compactions.map(compactionValues);
  const receiptRows = receipts.map(receiptValues);
  return writeSession(database, key, async (session) => {
    const before = await countUp(session, commit);
    if (before === undefined) return false;
    if (commit.state !== undefined) await insertRows(session.tx, STATES, [[...session.names, ...state]]);
    await add(session, COMPACTIONS, { at: before.compactions, values: compactions, rows: compactionRows });
    await add(session, RECEIPTS, { at: before.receipts, values: receipts, rows: receiptRows });
    await mark(session, marks);
    return true;
  });
}

/** The number of rows before. */
interface Counts {
  readonly compactions: number;
  readonly receipts: number;
}

async function countUp({ tx, names }: SessionScope, commit: Commit): Promise<Counts | undefined> {
  const { revision, compactions = [], receipts = [] } = commit;
  const now = Date.now();
  const lastCompactionAt = compactions.at(-1)?.createdAt ?? null;
  const counts = [compactions.length, receipts.length, lastCompactionAt];
  const [row] = await tx.all(
    `UPDATE sessions SET revision = revision + 1, updated_at = ?, compaction_count = compaction_count + ?,
       receipt_count = receipt_count + ?, last_compaction_at = COALESCE(?, last_compaction_at)
     WHERE owner = ? AND id = ? AND revision = ?
     RETURNING compaction_count, receipt_count`,
    [now, ...counts, ...names, revision],
  );
  if (row !== undefined) {
    return {
      compactions: numberOf(row, "compaction_count") - compactions.length,
      receipts: numberOf(row, "receipt_count") - receipts.length,
    };
  }
  if (revision !== 0) return undefined;
  // Another writer may have created the row meanwhile, for something other than its first commit.
  const created = await tx.run(
    `INSERT INTO sessions (owner, id, created_at, updated_at, revision, compaction_count, receipt_count, last_compaction_at)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?)
     ON CONFLICT (owner, id) DO UPDATE SET revision = excluded.revision, updated_at = excluded.updated_at,
       compaction_count = excluded.compaction_count, receipt_count = excluded.receipt_count,
       last_compaction_at = excluded.last_compaction_at
     WHERE sessions.revision = 0`,
    [...names, now, now, ...counts],
  );
  return created > 0 ? { compactions: 0, receipts: 0 } : undefined;
}

interface Added {
  readonly at: number;
  readonly values: readonly { readonly id: string }[];
  /** Columns after the position. */
  readonly rows: readonly (readonly SqlValue[])[];
}

async function add(session: SessionScope, table: Table, { at, values, rows }: Added): Promise<void> {
  const whole = rows.map((row, i) => [...session.names, at + i, ...row]);
  await insertUnique(session, table, { at, rows: whole, ids: () => values.map(({ id }) => id) });
}

async function mark({ tx, dialect, names }: SessionScope, marks: ReadonlyMap<string, number>): Promise<void> {
  const source = searchedById(PARTS.name, dialect);
  const text = (list: string) =>
    `UPDATE ${source} SET compacted_at = ? WHERE owner = ? AND session_id = ? AND id IN (${list})`;
  // Most of them have the same time.
  for (const [time, entries] of Map.groupBy(marks, ([, at]) => at)) {
    const ids = entries.map(([part]) => toStoredText(part));
    await forLists(ids, (list, some) => tx.run(text(list), [time, ...names, ...some]));
  }
}
