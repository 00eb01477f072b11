import { StoreError } from "../../../errors/store-errors.ts";
import { omitUndefined } from "../../../internal/json.ts";
import type {
  EventFilter,
  EventLog,
  NewEvent,
  ServerStore,
  StoredEvent,
  StoredToken,
  TokenScope,
  TokenStore,
} from "../../../ports/server-store.ts";
import {
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  pack,
  readJson,
  storedTextOf,
  textOf,
  toOptionalText,
  toStoredText,
  unpack,
  writeJson,
} from "../row-values.ts";
import type { SqlRow, SqlStatement, SqlTransaction, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { insertRows, limited, lookUp, selectIn, type Table } from "../statements.ts";
import { runWithNote } from "../store-database.ts";
import { sqlAnswerStore } from "./answer-store.ts";
import { sqlJobQueue } from "./job-queue.ts";

/** Data of servers in a database. */
export function sqlServerStore(database: StoreDatabase): ServerStore {
  return {
    tokens: sqlTokenStore(database),
    jobs: sqlJobQueue(database),
    events: sqlEventLog(database),
    answers: sqlAnswerStore(database),
  };
}

const TOKENS: Table = {
  name: "tokens",
  columns: [
    ...["id", "name", "hash", "user_id", "projects", "scopes", "created_at", "expires_at", "revoked_at"],
    "last_used_at",
  ],
};
const SELECT = `SELECT ${TOKENS.columns.join(", ")} FROM tokens`;

/** Tokens in a database. */
function sqlTokenStore(database: StoreDatabase): TokenStore {
  const change = (text: string, params: readonly SqlValue[]) => database.write((tx) => tx.run(text, params));
  return {
    async add(token) {
      await database.write(async (tx) => {
        if ((await insertRows(tx, TOKENS, [tokenRow(token)])) > 0) return;
        throw new StoreError("duplicate-id", `Duplicate id of a token: ${JSON.stringify(token.id)}.`);
      });
    },
    async find(id) {
      const statement: SqlStatement = [`${SELECT} WHERE id = ?`, [toStoredText(id)]];
      return lookUp(database, { statements: [statement], read: ([rows]) => rows?.map(readTokenRow)[0] });
    },
    async list({ userId, ids } = {}) {
      const owner = userId === undefined ? [] : [toStoredText(userId)];
      const ofOwner = userId === undefined ? "" : "AND user_id = ?";
      const text = (list: string) => `${SELECT} WHERE 1 = 1 ${ofOwner} AND id IN (${list})`;
      const rows = await database.read((tx) =>
        ids === undefined
          ? tx.all(`${SELECT} WHERE 1 = 1 ${ofOwner}`, owner)
          : selectIn(tx, text, owner, ids.map(toStoredText)),
      );
      const tokens = rows.map(readTokenRow);
      return tokens.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async revoke(id, at) {
      const text = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
      return (await change(text, [at, toStoredText(id)])) > 0;
    },
    async touch(id, at) {
      // Servers may report uses out of order.
      const text = "UPDATE tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)";
      await change(text, [at, toStoredText(id), at]);
    },
  };
}

function tokenRow(token: StoredToken): SqlValue[] {
  const { id, name, hash, userId, projects, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  return [
    ...[id, name, hash, userId].map(toStoredText),
    ...[projects, scopes].map(writeJson),
    createdAt,
    ...[expiresAt, revokedAt, lastUsedAt].map((time) => time ?? null),
  ];
}

function readTokenRow(row: SqlRow): StoredToken {
  return omitUndefined({
    id: storedTextOf(row, "id"),
    name: storedTextOf(row, "name"),
    hash: storedTextOf(row, "hash"),
    userId: storedTextOf(row, "user_id"),
    projects: readJson(textOf(row, "projects")) as string[],
    scopes: readJson(textOf(row, "scopes")) as TokenScope[],
    createdAt: numberOf(row, "created_at"),
    expiresAt: optionalNumberOf(row, "expires_at"),
    revokedAt: optionalNumberOf(row, "revoked_at"),
    lastUsedAt: optionalNumberOf(row, "last_used_at"),
  });
}

const EVENTS: Table = {
  name: "events",
  columns: ["sequence", "owner", "project_id", "session_id", "type", "data", "data_packed", "at"],
};

/**
 * Events in a SQL database. Transactions can commit in another order than they started, so database-generated numbers
 * would appear out of order and readers would miss some. Appending therefore takes its numbers from a row of the owner
 * that stays locked until the commit. Writers of different owners do not wait for each other.
 */
function sqlEventLog(database: StoreDatabase): EventLog {
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
