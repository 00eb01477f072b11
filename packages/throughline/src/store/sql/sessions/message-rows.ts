import { omitUndefined } from "../../../internal/json.ts";
import { legacyToRichMessage } from "../../../message/convert/legacy.ts";
import type { Message, Role } from "../../../message/message.ts";
import type { Part } from "../../../message/part.ts";
import type { SessionKey } from "../../../ports/store.ts";
import { pack, packInWorker, unpack, unpackInWorker } from "../pack.ts";
import { fromStoredText, numberOf, optionalNumberOf, textOf, toStoredText } from "../row-values.ts";
import type { SqlRow, SqlValue } from "../sql-driver.ts";
import type { Table } from "../statements.ts";
import type { SessionNames } from "./session-scope.ts";

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

export function messageRow(key: SessionKey, names: SessionNames, position: number, message: Message): SqlValue[] {
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
