import { StoreError } from "../../../errors/store-error.ts";
import { omitUndefined } from "../../../internal/json.ts";
import type { EventFilter, EventLog, NewEvent, StoredEvent } from "../../../ports/server-store.ts";
import { pack, unpack } from "../pack.ts";
import { numberOf, optionalTextOf, storedTextOf } from "../read-row.ts";
import type { SqlRow, SqlTransaction, SqlValue, StoreDatabase } from "../sql-driver.ts";
import { insertRows, limited, type Table } from "../statements.ts";
import { toOptionalText, toStoredText } from "../stored-text.ts";

const EVENTS: Table = {
  name: "events",
  columns: ["sequence", "owner", "project_id", "session_id", "type", "data", "data_packed", "at"],
};

/**
 * Events in a database. A transaction that is done later may have begun earlier: numbers that a database gives out by
 * itself would be seen out of order, and who reads behind the last number would miss some. So who appends takes its
 * numbers from a row that the next one cannot take before the first is done.
 */
export function sqlEventLog(database: StoreDatabase): EventLog {
  return {
    append: (events) => append(database, events),
    read: (filter) => database.read((tx) => read(tx, filter)),
    async last() {
      return counted(await database.read((tx) => tx.all("SELECT last FROM event_counter")));
    },
    sweep: (before) => database.write((tx) => tx.run("DELETE FROM events WHERE at < ?", [before])),
  };
}

async function append(database: StoreDatabase, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  // Made before the transaction begins: others need not wait for it.
  const values = events.map(eventValues);
  await database.write(async (tx) => {
    const count = "UPDATE event_counter SET last = last + ? RETURNING last";
    const first = counted(await tx.all(count, [values.length])) - values.length + 1;
    const at = await database.now(tx);
    await insertRows(
      tx,
      EVENTS,
      values.map((row, i) => [first + i, ...row, at]),
    );
  });
}

function counted([row]: readonly SqlRow[]): number {
  if (row === undefined) throw new StoreError("corrupt", "The number of the last event is missing.");
  return numberOf(row, "last");
}

/** The columns between the number and the time. */
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
