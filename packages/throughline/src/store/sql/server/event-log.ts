import { StoreError } from "../../../errors/store-error.ts";
import { omitUndefined } from "../../../internal/json.ts";
import type { EventFilter, EventLog, NewEvent, StoredEvent } from "../../../ports/server-store.ts";
import { runWithNote } from "../noted-writes.ts";
import { pack, unpack } from "../pack.ts";
import { numberOf, optionalTextOf, storedTextOf } from "../read-row.ts";
import type { SqlRow, SqlTransaction, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { insertRows, limited, type Table } from "../statements.ts";
import { toOptionalText, toStoredText } from "../stored-text.ts";

const EVENTS: Table = {
  name: "events",
  columns: ["sequence", "owner", "project_id", "session_id", "type", "data", "data_packed", "at"],
};

/**
 * Events in a SQL database. Transactions can commit in another order than they started, so database-generated numbers
 * would appear out of order and readers would miss some. Appending therefore takes its numbers from a row that stays
 * locked until the commit.
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
    async last() {
      return counted(await database.read((tx) => tx.all("SELECT last FROM event_counter")));
    },
    sweep: (before) => database.write((tx) => tx.run("DELETE FROM events WHERE at < ?", [before])),
  };
}

async function insertEvents(
  database: StoreDatabase,
  tx: StoreTransaction,
  values: readonly (readonly SqlValue[])[],
): Promise<void> {
  const count = "UPDATE event_counter SET last = last + ? RETURNING last";
  const first = counted(await tx.all(count, [values.length])) - values.length + 1;
  const at = await database.now(tx);
  await insertRows(
    tx,
    EVENTS,
    values.map((row, i) => [first + i, ...row, at]),
  );
}

function counted([row]: readonly SqlRow[]): number {
  if (row === undefined) throw new StoreError("corrupt", "The event counter is missing.");
  return numberOf(row, "last");
}

/** Columns between the number and the time. */
function eventValues({ owner, projectId, sessionId, type, data }: NewEvent): SqlValue[] {
  return [toStoredText(owner), ...[projectId, sessionId].map(toOptionalText), toStoredText(type), ...pack(data)];
}

async function read(tx: SqlTransaction, filter: EventFilter): Promise<StoredEvent[]> {
  const { owner, sessionId, after, limit } = filter;
  const [ofOwner, owners] = owner === undefined ? ["", []] : ["AND owner = ?", [toStoredText(owner)]];
  const [ofSession, session] = sessionId === undefined ? ["", []] : ["AND session_id = ?", [toStoredText(sessionId)]];
  const text = `SELECT ${EVENTS.columns.join(", ")} FROM events WHERE sequence > ? ${ofOwner} ${ofSession}
    ORDER BY sequence`;
  const rows = await tx.all(...limited(text, [after, ...owners, ...session], limit));
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
