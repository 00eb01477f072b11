import { omitUndefined } from "../../../internal/json.ts";
import { yieldToEventLoop } from "../../../internal/yield-to-event-loop.ts";
import { legacyToRichMessage } from "../../../message/convert/legacy.ts";
import type { Message, Role } from "../../../message/message.ts";
import type { Part } from "../../../message/part.ts";
import type { MessageIds, MessageLog, SessionKey } from "../../../ports/store.ts";
import {
  fromStoredText,
  isCount,
  numberOf,
  optionalNumberOf,
  pack,
  packInWorker,
  textOf,
  toStoredText,
  unpack,
  unpackInWorker,
} from "../row-values.ts";
import { type SqlRow, type SqlValue, type StoreDatabase, searchedById } from "../sql-driver.ts";
import { selectIn, type Table } from "../statements.ts";
import {
  findIds,
  insertUnique,
  openSessionRows,
  readSession,
  type SessionNames,
  type SessionScope,
  sessionNames,
  writeSession,
} from "./session-scope.ts";

const MESSAGE_COLUMNS = "position, id, role, created_at, tokens, content, rest, rest_packed";
const PART_COLUMNS = 'position, "order", id, type, tokens, content, content_packed';
const OF_SESSION = "WHERE owner = ? AND session_id = ?";
const IN_ORDER = 'ORDER BY position, "order"';

/** Messages in a SQL database. */
export function sqlMessageLog(database: StoreDatabase): MessageLog {
  return {
    append: (key, at, messages) => append(database, key, at, messages),
    get: (key, ids) => readSession(database, key, (session) => byId(session, ids)),
    list: (key, filter = {}) =>
      readSession(database, key, (session) =>
        "parts" in filter ? byPart(session, filter.parts) : range(session, filter.from, filter.limit),
      ),
    taken: (key, ids) => readSession(database, key, (session) => taken(session, ids)),
    marks: (key) => readSession(database, key, marks),
  };
}

/** Runs inside the transaction: a write that was called before the store is closed still completes. */
async function makeRows(key: SessionKey, at: number, messages: readonly Message[]) {
  const names = sessionNames(key);
  const messageRows: SqlValue[][] = [];
  const partRows: SqlValue[][] = [];
  for (const [i, message] of messages.entries()) {
    messageRows.push(messageRow(key, names, at + i, message));
    for (const [order, part] of message.parts.entries()) partRows.push(await partRow(names, at + i, order, part));
    await yieldToEventLoop();
  }
  return { messageRows, partRows };
}

/** Maximum messages of a write that may share a commit with others. */
const MAX_BRIEF = 8;

async function append(
  database: StoreDatabase,
  key: SessionKey,
  at: number,
  messages: readonly Message[],
): Promise<boolean> {
  if (!isCount(at)) return false;
  const write = async (session: SessionScope): Promise<boolean> => {
    if (!(await advance(session, at, messages.length))) return false;
    const { messageRows, partRows } = await makeRows(key, at, messages);
    await insertUnique(session, MESSAGES, { at, rows: messageRows, ids: () => messages.map(({ id }) => id) });
    const partIds = () => messages.flatMap(({ parts }) => parts.map(({ id }) => id));
    await insertUnique(session, PARTS, { at, rows: partRows, ids: partIds });
    return true;
  };
  return writeSession(database, key, write, messages.length <= MAX_BRIEF);
}

/** Adds to the message count; `false` if the session does not end at `at`. */
async function advance({ tx, names }: SessionScope, at: number, count: number): Promise<boolean> {
  if (count === 0) {
    const [row] = await tx.all("SELECT appended FROM sessions WHERE owner = ? AND id = ?", names);
    return (row ? numberOf(row, "appended") : 0) === at;
  }
  const now = Date.now();
  const advanced = await tx.run(
    "UPDATE sessions SET appended = appended + ?, updated_at = ? WHERE owner = ? AND id = ? AND appended = ?",
    [count, now, ...names, at],
  );
  if (advanced > 0 || at > 0) return advanced > 0;
  // Another writer may have created the row meanwhile, without messages.
  const created = await tx.run(
    `INSERT INTO sessions (owner, id, created_at, updated_at, appended) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (owner, id) DO UPDATE SET appended = excluded.appended, updated_at = excluded.updated_at
     WHERE sessions.appended = 0`,
    [...names, now, now, count],
  );
  return created > 0;
}

async function range(session: SessionScope, from = 0, limit = Number.MAX_SAFE_INTEGER) {
  const { tx, names } = session;
  // Positions have no gaps.
  const between = `${OF_SESSION} AND position >= ? AND position < ?`;
  const params = [...names, from, Math.min(from + limit, Number.MAX_SAFE_INTEGER)];
  const messages = await tx.all(`SELECT ${MESSAGE_COLUMNS} FROM messages ${between} ORDER BY position`, params);
  const parts = await tx.all(`SELECT ${PART_COLUMNS} FROM message_parts ${between} ${IN_ORDER}`, params);
  return assemble(session, messages, parts);
}

async function byId(session: SessionScope, ids: readonly string[]): Promise<Message[]> {
  return withParts(session, await rowsById(session, ids));
}

function rowsById({ tx, dialect, names }: SessionScope, ids: readonly string[]): Promise<SqlRow[]> {
  const source = searchedById(MESSAGES.name, dialect);
  const ofIds = (list: string) => `SELECT ${MESSAGE_COLUMNS} FROM ${source} ${OF_SESSION} AND id IN (${list})`;
  return selectIn(tx, ofIds, names, [...new Set(ids)].map(toStoredText));
}

async function byPart(session: SessionScope, partIds: readonly string[]): Promise<Message[]> {
  const { tx, names } = session;
  const wanted = new Set(partIds);
  const found = await findIds(session, PARTS, [...wanted]);
  const at = (list: string) => `SELECT ${MESSAGE_COLUMNS} FROM messages ${OF_SESSION} AND position IN (${list})`;
  const rows = await selectIn(tx, at, names, [...new Set(found.values())]);
  // The parts of flat messages of version 0 have no rows: their ids start with the id of the message.
  const others = [...wanted].filter((id) => !found.has(id)).map((id) => id.slice(0, Math.max(0, id.lastIndexOf("."))));
  const all = new Map([...rows, ...(await rowsById(session, others))].map((row) => [row.position, row]));
  const messages = await withParts(session, [...all.values()]);
  return messages.filter(({ parts }) => parts.some(({ id }) => wanted.has(id)));
}

/** Messages from their rows, in the order of their positions. */
async function withParts(session: SessionScope, rows: readonly SqlRow[]): Promise<Message[]> {
  const { tx, names } = session;
  const messages = rows.toSorted((a, b) => numberOf(a, "position") - numberOf(b, "position"));
  const ofMessages = (list: string) =>
    `SELECT ${PART_COLUMNS} FROM message_parts ${OF_SESSION} AND position IN (${list}) ${IN_ORDER}`;
  const positions = messages.map((row) => numberOf(row, "position"));
  return assemble(session, messages, await selectIn(tx, ofMessages, names, positions));
}

async function taken(session: SessionScope, ids: MessageIds): Promise<MessageIds> {
  const messages = await findIds(session, MESSAGES, ids.messages);
  const parts = await findIds(session, PARTS, ids.parts);
  return {
    messages: ids.messages.filter((id) => messages.has(id)),
    parts: ids.parts.filter((id) => parts.has(id)),
  };
}

async function marks({ tx, names }: SessionScope): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.all(
    `SELECT id, compacted_at FROM message_parts ${OF_SESSION} AND compacted_at IS NOT NULL`,
    names,
  );
  return new Map(rows.map((row) => [fromStoredText(textOf(row, "id")), numberOf(row, "compacted_at")]));
}

async function assemble(
  session: SessionScope,
  messages: readonly SqlRow[],
  parts: readonly SqlRow[],
): Promise<Message[]> {
  const byPosition = Map.groupBy(openSessionRows(session, PARTS, parts), ({ position }) => position);
  const rows = openSessionRows(session, MESSAGES, messages);
  const read: Message[] = [];
  for (const row of rows) {
    read.push(await readMessageRow(session.key, row, byPosition.get(row.position ?? null) ?? []));
    await yieldToEventLoop();
  }
  return read;
}

export const MESSAGES: Table = {
  name: "messages",
  columns: ["owner", "session_id", "position", "id", "role", "created_at", "tokens", "rest", "rest_packed"],
  sealing: {
    key: ["owner", "session_id", "position"],
    content: { columns: ["content", "rest", "rest_packed"], into: "rest_packed" },
  },
};

export const PARTS: Table = {
  name: "message_parts",
  columns: ["owner", "session_id", "position", '"order"', "id", "type", "tokens", "content", "content_packed"],
  sealing: {
    key: ["owner", "session_id", "position", "order"],
    content: { columns: ["content", "content_packed"], into: "content_packed" },
  },
};

function messageRow(key: SessionKey, names: SessionNames, position: number, message: Message): SqlValue[] {
  const { id, sessionId, role, parts: _, createdAt, tokens, ...rest } = message;
  const others = omitUndefined({
    ...rest,
    // Values that the columns cannot hold exactly are stored here too, and take precedence.
    sessionId: sessionId === key.sessionId ? undefined : sessionId,
    createdAt: isExact(createdAt) ? undefined : createdAt,
    tokens: isExact(tokens) ? undefined : tokens,
  });
  return [
    ...names,
    position,
    toStoredText(id),
    role,
    isExact(createdAt) ? createdAt : 0,
    isExact(tokens) ? tokens : null,
    ...pack(Object.keys(others).length > 0 ? others : undefined),
  ];
}

export async function partRow(names: SessionNames, position: number, order: number, part: Part): Promise<SqlValue[]> {
  const { id, type, tokens, ...content } = part;
  const whole = isExact(tokens) || tokens === undefined ? content : { ...content, tokens };
  return [
    ...names,
    position,
    order,
    toStoredText(id),
    type,
    isExact(tokens) ? tokens : null,
    ...(await packInWorker(whole)),
  ];
}

/** Builds a message from its row and the rows of its parts, in order. */
export async function readMessageRow(key: SessionKey, row: SqlRow, rows: readonly SqlRow[]): Promise<Message> {
  if (typeof row.content === "string" && rows.length === 0) return readLegacyRow(key, row, row.content);
  const rest = unpack(row, "rest") as Partial<Message> | undefined;
  const parts: Part[] = [];
  for (const part of rows) parts.push(await readPartRow(part));
  return omitUndefined({
    id: fromStoredText(textOf(row, "id")),
    sessionId: key.sessionId,
    role: textOf(row, "role") as Role,
    createdAt: numberOf(row, "created_at"),
    tokens: optionalNumberOf(row, "tokens"),
    ...rest,
    parts,
  });
}

/** Reads a flat message of older versions, whose content is JSON text. */
function readLegacyRow(key: SessionKey, row: SqlRow, content: string): Message {
  const message = legacyToRichMessage({
    id: fromStoredText(textOf(row, "id")),
    sessionId: key.sessionId,
    role: textOf(row, "role"),
    content,
    createdAt: numberOf(row, "created_at"),
  });
  return omitUndefined({ ...message, tokens: optionalNumberOf(row, "tokens") });
}

async function readPartRow(row: SqlRow): Promise<Part> {
  return omitUndefined({
    id: fromStoredText(textOf(row, "id")),
    type: textOf(row, "type"),
    tokens: optionalNumberOf(row, "tokens"),
    ...((await unpackInWorker(row, "content")) as object),
  }) as Part;
}

/** True if a column can hold the value exactly. */
function isExact(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}
