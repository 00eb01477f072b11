import { omitUndefined } from "../../../internal/json.ts";
import type { EventFilter, EventLog, NewEvent, StoredEvent } from "../../../ports/server-store.ts";
import { pack, unpack } from "../pack.ts";
import { numberOf, optionalTextOf, storedTextOf, toOptionalText, toStoredText } from "../row-values.ts";
import type { SqlRow, SqlTransaction, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { insertRows, limited, selectIn, type Table } from "../statements.ts";
import { runWithNote } from "../store-database.ts";

const EVENTS: Table = {
  name: "events",
  columns: ["sequence", "owner", "project_id", "session_id", "type", "data", "data_packed", "at"],
};

/**
 * Events in a SQL database. Transactions can commit in another order than they started, so database-generated numbers
 * would appear out of order and readers would miss some. Appending therefore takes its numbers from a row of the owner
 * that stays locked until the commit. Writers of different owners do not wait for each other.
 */
export function sqlEventLog(database: StoreDatabase): EventLog {
  return {
    async append(events) {
      // Built before the transaction starts, so that others do not wait.
      const rows = events.map(eventValues);
      if (rows.length > 0) await database.write((tx) => insertEvents(database, tx, rows));
    },
    appendWith(events, write) {
      const rows = events.map(eventValues);
      return runWithNote(async (tx, result) => {
        if (rows.length > 0 && result !== false) await insertEvents(database, tx, rows);
      }, write);
    },
    read: (filter) => database.read((tx) => read(tx, filter)),
    async last(owners) {
      const text = (list: string) => `SELECT owner, last FROM event_counters WHERE owner IN (${list})`;
      const rows = await database.read((tx) => selectIn(tx, text, [], [...new Set(owners)].map(toStoredText)));
      return new Map(rows.map((row) => [storedTextOf(row, "owner"), numberOf(row, "last")]));
    },
    sweep: (before) => database.write((tx) => tx.run("DELETE FROM events WHERE at < ?", [before])),
  };
}

async function insertEvents(
  database: StoreDatabase,
  tx: StoreTransaction,
  values: readonly (readonly SqlValue[])[],
): Promise<void> {
  // Two transactions with the same owners lock them in the same order.
  const byOwner = [...Map.groupBy(values, ([owner]) => String(owner))].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [owner, rows] of byOwner) {
    const first = (await countUp(tx, owner, rows.length)) - rows.length + 1;
    const at = await database.now(tx);
    await insertRows(
      tx,
      EVENTS,
      rows.map((row, i) => [first + i, ...row, at]),
    );
  }
}

/** Takes numbers for events. Returns the last one. */
async function countUp(tx: SqlTransaction, owner: string, count: number): Promise<number> {
  const text = `INSERT INTO event_counters (owner, last) VALUES (?, ?)
    ON CONFLICT (owner) DO UPDATE SET last = event_counters.last + excluded.last RETURNING last`;
  const [row] = await tx.all(text, [owner, count]);
  return row ? numberOf(row, "last") : count;
}

/** Columns between the number and the time. */
function eventValues({ owner, projectId, sessionId, type, data }: NewEvent): SqlValue[] {
  return [toStoredText(owner), ...[projectId, sessionId].map(toOptionalText), toStoredText(type), ...pack(data)];
}

async function read(tx: SqlTransaction, filter: EventFilter): Promise<StoredEvent[]> {
  const { owner, sessionId, after, limit } = filter;
  const [ofSession, session] = sessionId === undefined ? ["", []] : ["AND session_id = ?", [toStoredText(sessionId)]];
  const text = `SELECT ${EVENTS.columns.join(", ")} FROM events WHERE owner = ? AND sequence > ? ${ofSession}
    ORDER BY sequence`;
  const rows = await tx.all(...limited(text, [toStoredText(owner), after, ...session], limit));
  return rows.map(readEventRow);
}

function readEventRow(row: SqlRow): StoredEvent {
  return omitUndefined({
    sequence: numberOf(row, "sequence"),
    owner: storedTextOf(row, "owner"),
    projectId: optionalTextOf(row, "project_id"),
    sessionId: optionalTextOf(row, "session_id"),
    type: storedTextOf(row, "type"),
    at: numberOf(row, "at"),
    data: unpack(row, "data"),
  });
}
