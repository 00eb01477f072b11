import { omitUndefined, otherFields } from "../../../internal/json.ts";
import type { Utterance } from "../../../ports/memory.ts";
import type { EntryFilter, SearchEntry, StoredSearchEntry, UtteranceFilter } from "../../../ports/memory-store.ts";
import { openRows } from "../encryption/sealed-rows.ts";
import {
  bytesOf,
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  pack,
  storedTextOf,
  toOptionalText,
  toStoredText,
  unpack,
} from "../row-values.ts";
import {
  type DialectName,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
  type StoreTransaction,
  searchedBy,
} from "../sql-driver.ts";
import { type Lookup, limited, selectsIn, type Table } from "../statements.ts";

/** Fields that have columns. All others are in `rest`. */
const FIELDS = [
  ...["id", "sessionId", "position", "messageId", "role", "speaker", "text", "at", "createdAt", "owner", "projectId"],
  "staleSince",
];

const READ_COLUMNS = [
  ...["id", "session_id", "position", "message_id", "role", "speaker", "text", "at", "created_at", "user_id"],
  ...["project_id", "stale_since", "rest", "rest_packed"],
];
const TURN_COLUMNS = READ_COLUMNS.join(", ");

export const TURNS: Table = {
  name: "turns",
  columns: ["space", ...READ_COLUMNS],
  replacedBy: ["space", "id"],
  sealing: {
    key: ["space", "id"],
    content: { columns: ["role", "speaker", "text", "rest", "rest_packed"], into: "rest_packed" },
  },
};

const ENTRY_COLUMNS = "id, revision, entry, embedder, vector";

export const ENTRIES: Table = {
  name: "search_entries",
  columns: ["space", "id", "revision", "entry", "embedder", "vector"],
  replacedBy: ["space", "id"],
  sealing: { key: ["space", "id"], content: { columns: ["entry", "vector"], into: "entry" } },
};

export function turnRow(space: string, turn: Utterance): SqlValue[] {
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

function readTurnRow(row: SqlRow): Utterance {
  return omitUndefined({
    ...(unpack(row, "rest") as Partial<Utterance> | undefined),
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
function readEntryRow(row: SqlRow): StoredSearchEntry {
  const known = { id: storedTextOf(row, "id"), revision: numberOf(row, "revision"), entry: bytesOf(row, "entry") };
  if (row.embedder === null && row.vector === null) return known;
  return omitUndefined({
    ...known,
    embedder: optionalTextOf(row, "embedder"),
    vector: row.vector === null ? undefined : bytesOf(row, "vector"),
  });
}

/** Turns by id, in the order of `ids`. */
export function turnsById(space: string, ids: readonly string[]): Lookup<Utterance[]> {
  const text = (list: string) => `SELECT ${TURN_COLUMNS} FROM turns WHERE space = ? AND id IN (${list})`;
  return {
    statements: selectsIn(text, [space], [...new Set(ids)].map(toStoredText)),
    read(rows, opened) {
      const turns = openRows(opened, TURNS, rows.flat(), { space }).map(readTurnRow);
      const found = new Map(turns.map((turn) => [turn.id, turn]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
}

export async function listTurns(tx: StoreTransaction, space: string, filter: UtteranceFilter): Promise<Utterance[]> {
  const [conditions, params, order] = "sessionId" in filter ? ofSession(filter) : afterId(filter.after);
  const select = `SELECT ${TURN_COLUMNS} FROM turns WHERE space = ? ${conditions} ORDER BY ${order}`;
  const rows = await tx.all(...limited(select, [space, ...params], filter.limit));
  return openRows(tx, TURNS, rows, { space }).map(readTurnRow);
}

type Conditions = readonly [conditions: string, params: readonly SqlValue[], order: string];

function ofSession(filter: Extract<UtteranceFilter, { readonly sessionId: string }>): Conditions {
  const { sessionId, from = 0, newestFirst = false } = filter;
  const order = newestFirst ? "position DESC, id DESC" : "position, id";
  return ["AND session_id = ? AND position >= ?", [toStoredText(sessionId), from], order];
}

function afterId(after: string | undefined): Conditions {
  return after === undefined ? ["", [], "id"] : ["AND id > ?", [toStoredText(after)], "id"];
}

export function listEntries(dialect: DialectName, space: string, filter: EntryFilter): Lookup<StoredSearchEntry[]> {
  const [text, params] =
    "withoutVectorOf" in filter
      ? selectWithoutVector(dialect, filter.withoutVectorOf, filter.afterId)
      : selectWritten(filter.after);
  return {
    statements: [limited(text, [space, ...params], filter.limit)],
    read: (rows, opened) => readEntries(opened, space, rows.flat()),
  };
}

function selectWritten(after: { readonly revision: number; readonly id?: string } = { revision: 0 }): SqlStatement {
  const { revision, id } = after;
  const [behind, params] =
    id === undefined ? ["revision > ?", [revision]] : ["(revision, id) > (?, ?)", [revision, toStoredText(id)]];
  return [`SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ? AND ${behind} ORDER BY revision, id`, params];
}

function selectWithoutVector(dialect: DialectName, embedder: string, afterId: string | undefined): SqlStatement {
  const source = searchedBy(ENTRIES.name, "search_entries_by_embedder", dialect);
  const [behind, after] = afterId === undefined ? ["", []] : ["AND id > ?", [toStoredText(afterId)]];
  const text = `SELECT ${ENTRY_COLUMNS} FROM ${source}
    WHERE space = ? ${behind} AND (embedder IS NULL OR embedder <> ?) ORDER BY id`;
  return [text, [...after, toStoredText(embedder)]];
}

/** In the order of `ids`. */
export function entriesById(space: string, ids: readonly string[]): Lookup<StoredSearchEntry[]> {
  const text = (list: string) => `SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ? AND id IN (${list})`;
  return {
    statements: selectsIn(text, [space], [...new Set(ids)].map(toStoredText)),
    read(rows, opened) {
      const found = new Map(readEntries(opened, space, rows.flat()).map((entry) => [entry.id, entry]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
}

function readEntries(
  opened: Pick<StoreTransaction, "cipher">,
  space: string,
  rows: readonly SqlRow[],
): StoredSearchEntry[] {
  return openRows(opened, ENTRIES, rows, { space }).map(readEntryRow);
}
