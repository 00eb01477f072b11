import { omitUndefined, otherFields } from "../../../internal/json.ts";
import type { Turn } from "../../../ports/memory.ts";
import type { SearchEntry, StoredSearchEntry } from "../../../ports/memory-store.ts";
import { pack, unpack } from "../pack.ts";
import { bytesOf, numberOf, optionalNumberOf, optionalTextOf, storedTextOf } from "../read-row.ts";
import type { SqlRow, SqlValue } from "../sql-driver.ts";
import type { Table } from "../statements.ts";
import { toOptionalText, toStoredText } from "../stored-text.ts";

/** Fields that have columns. All others are in `rest`. */
const FIELDS = [
  ...["id", "sessionId", "position", "messageId", "role", "speaker", "text", "at", "createdAt", "owner", "projectId"],
  "staleSince",
];

const READ_COLUMNS = [
  ...["id", "session_id", "position", "message_id", "role", "speaker", "text", "at", "created_at", "user_id"],
  ...["project_id", "stale_since", "rest", "rest_packed"],
];
export const TURN_COLUMNS = READ_COLUMNS.join(", ");

export const TURNS: Table = {
  name: "turns",
  columns: ["space", ...READ_COLUMNS],
  replacedBy: ["space", "id"],
  sealing: {
    key: ["space", "id"],
    content: { columns: ["role", "speaker", "text", "rest", "rest_packed"], into: "rest_packed" },
  },
};

export const ENTRY_COLUMNS = "id, revision, entry, embedder, vector";

export const ENTRIES: Table = {
  name: "search_entries",
  columns: ["space", "id", "revision", "entry", "embedder", "vector"],
  replacedBy: ["space", "id"],
  sealing: { key: ["space", "id"], content: { columns: ["entry", "vector"], into: "entry" } },
};

export function turnRow(space: string, turn: Turn): SqlValue[] {
  const rest = otherFields(omitUndefined({ ...turn }), FIELDS);
  return [
    space,
    toStoredText(turn.id),
    toStoredText(turn.sessionId),
    turn.position,
    toOptionalText(turn.messageId),
    toStoredText(turn.role),
    toOptionalText(turn.speaker),
    toStoredText(turn.text),
    turn.at ?? null,
    turn.createdAt,
    toStoredText(turn.owner),
    toOptionalText(turn.projectId),
    turn.staleSince ?? null,
    ...pack(rest),
  ];
}

export function readTurnRow(row: SqlRow): Turn {
  return omitUndefined({
    ...(unpack(row, "rest") as Partial<Turn> | undefined),
    id: storedTextOf(row, "id"),
    sessionId: storedTextOf(row, "session_id"),
    position: numberOf(row, "position"),
    messageId: optionalTextOf(row, "message_id"),
    role: storedTextOf(row, "role"),
    speaker: optionalTextOf(row, "speaker"),
    text: storedTextOf(row, "text"),
    at: optionalNumberOf(row, "at"),
    createdAt: numberOf(row, "created_at"),
    owner: storedTextOf(row, "user_id"),
    projectId: optionalTextOf(row, "project_id"),
    staleSince: optionalNumberOf(row, "stale_since"),
  });
}

export function entryRow(space: string, revision: number, { id, entry, embedder, vector }: SearchEntry): SqlValue[] {
  return [space, toStoredText(id), revision, entry, toOptionalText(embedder), vector ?? null];
}

/** Not generic, because there are very many of them. */
export function readEntryRow(row: SqlRow): StoredSearchEntry {
  const known = { id: storedTextOf(row, "id"), revision: numberOf(row, "revision"), entry: bytesOf(row, "entry") };
  if (row.embedder === null && row.vector === null) return known;
  return omitUndefined({
    ...known,
    embedder: optionalTextOf(row, "embedder"),
    vector: row.vector === null ? undefined : bytesOf(row, "vector"),
  });
}
