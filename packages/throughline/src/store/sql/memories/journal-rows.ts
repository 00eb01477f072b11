import { omitUndefined, otherFields } from "../../../internal/json.ts";
import { mapYielding } from "../../../internal/yield-to-event-loop.ts";
import type { Contradiction } from "../../../ports/memory.ts";
import type {
  ContradictionFilter,
  JournalChange,
  JournalEntry,
  JournalFilter,
  NewJudgement,
  StoredJudgement,
} from "../../../ports/memory-store.ts";
import { namesOthers, selectContradictions } from "../../memory-rules.ts";
import { lookupValue, openRows } from "../encryption/sealed-rows.ts";
import {
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  pack,
  storedTextOf,
  textOf,
  toOptionalText,
  toStoredText,
  unpack,
} from "../row-values.ts";
import type { SqlRow, SqlTransaction, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { insertRows, limited, selectIn, type Table } from "../statements.ts";
import { lookupKey } from "./memory-rows.ts";

export const JOURNAL: Table = {
  name: "memory_journal",
  columns: ["space", "revision", "position", "id", "at", "action", "undoes", "rest", "rest_packed"],
  sealing: {
    key: ["space", "revision", "position"],
    content: { columns: ["action", "rest", "rest_packed"], into: "rest_packed" },
  },
};

export const CHANGES: Table = {
  name: "journal_changes",
  columns: ["space", "entry_id", "position", "kind", "id", "before", "before_packed", "after", "names_others"],
  replacedBy: ["space", "entry_id", "position"],
  sealing: {
    key: ["space", "entry_id", "position"],
    content: { columns: ["before", "before_packed", "after"], into: "before_packed" },
  },
};

/** Fields with their own columns or table. All others are in `rest`. */
const ENTRY_FIELDS = ["id", "at", "action", "undoes", "changes"];

/** The journal entry of a commit at `position`. */
export function journalRow(space: string, revision: number, position: number, entry: JournalEntry): SqlValue[] {
  const { id, at, action, undoes } = entry;
  const rest = otherFields(omitUndefined({ ...entry }), ENTRY_FIELDS);
  return [space, revision, position, toStoredText(id), at, toStoredText(action), toOptionalText(undoes), ...pack(rest)];
}

export function changeRows(space: string, { id, changes }: JournalEntry): SqlValue[][] {
  return changes.map((change, position) => changeRow([space, toStoredText(id), position], change));
}

/** The row of a change, by space, entry and position. */
export function changeRow(place: readonly SqlValue[], change: JournalChange): SqlValue[] {
  const { kind, id, before, after } = change;
  return [...place, kind, toStoredText(id), ...pack(before), toStoredText(after), Number(namesOthers(change))];
}

/** An entry from its row and the rows of its changes, in order. */
function readJournalRow(row: SqlRow, changes: readonly SqlRow[]): JournalEntry {
  return omitUndefined({
    ...(unpack(row, "rest") as Partial<JournalEntry> | undefined),
    id: storedTextOf(row, "id"),
    at: numberOf(row, "at"),
    action: storedTextOf(row, "action"),
    changes: changes.map(readChangeRow),
    undoes: optionalTextOf(row, "undoes"),
  });
}

export function readChangeRow(row: SqlRow): JournalChange {
  return omitUndefined({
    kind: textOf(row, "kind") as JournalChange["kind"],
    id: storedTextOf(row, "id"),
    before: unpack(row, "before") as JournalChange["before"],
    after: storedTextOf(row, "after"),
  });
}

const SELECT_ENTRIES = `SELECT ${JOURNAL.columns.join(", ")} FROM memory_journal WHERE space = ?`;

/** Newest first. */
export async function listJournal(
  tx: StoreTransaction,
  space: string,
  { of, limit }: JournalFilter,
): Promise<JournalEntry[]> {
  const changing = " AND id IN (SELECT entry_id FROM journal_changes WHERE space = ? AND id = ?)";
  const [where, params] = of === undefined ? ["", [space]] : [changing, [space, space, toStoredText(of)]];
  const text = `${SELECT_ENTRIES}${where} ORDER BY revision DESC, position DESC`;
  return withChanges(tx, space, await tx.all(...limited(text, params, limit)));
}

/** In the order of `ids`. */
export async function journalById(
  tx: StoreTransaction,
  space: string,
  ids: readonly string[],
): Promise<JournalEntry[]> {
  const stored = [...new Set(ids)].map(toStoredText);
  const rows = await selectIn(tx, (list) => `${SELECT_ENTRIES} AND id IN (${list})`, [space], stored);
  return inOrder(ids, await withChanges(tx, space, rows));
}

async function withChanges(tx: StoreTransaction, space: string, rows: readonly SqlRow[]): Promise<JournalEntry[]> {
  const text = (list: string) =>
    `SELECT ${CHANGES.columns.join(", ")} FROM journal_changes WHERE space = ? AND entry_id IN (${list})
     ORDER BY entry_id, position`;
  const ids = rows.map(({ id = null }) => id);
  const changes = Map.groupBy(openRows(tx, CHANGES, await selectIn(tx, text, [space], ids)), (row) => row.entry_id);
  return mapYielding(openRows(tx, JOURNAL, rows), (row) => readJournalRow(row, changes.get(row.id) ?? []));
}

/** Fields that have columns. All others are in `rest`. */
const CONTRADICTION_FIELDS = [
  ...["id", "memoryA", "memoryB", "detectedAt", "reason", "status", "resolvedAt", "resolution"],
  "note",
];

const CONTRADICTION_READ = [
  ...["id", "memory_a", "memory_b", "detected_at", "reason", "status", "resolved_at", "resolution"],
  ...["resolution_note", "rest", "rest_packed"],
];
const CONTRADICTION_COLUMNS = CONTRADICTION_READ.join(", ");

export const CONTRADICTIONS: Table = {
  name: "contradictions",
  columns: ["space", ...CONTRADICTION_READ],
  replacedBy: ["space", "id"],
  sealing: {
    key: ["space", "id"],
    content: { columns: ["reason", "resolution_note", "rest", "rest_packed"], into: "rest_packed" },
  },
};

const SELECT_CONTRADICTIONS = `SELECT ${CONTRADICTION_COLUMNS} FROM contradictions WHERE space = ?`;

/** In the order of `ids`. */
export async function contradictionsById(
  tx: StoreTransaction,
  space: string,
  ids: readonly string[],
): Promise<Contradiction[]> {
  return inOrder(ids, readContradictions(tx, space, await having(tx, space, "id", ids)));
}

/** Oldest first. */
export async function listContradictions(
  tx: StoreTransaction,
  space: string,
  filter: ContradictionFilter,
): Promise<Contradiction[]> {
  const { status, of } = filter;
  const rows = async () => {
    if (of !== undefined)
      return [...(await having(tx, space, "memory_a", of)), ...(await having(tx, space, "memory_b", of))];
    if (status === undefined) return tx.all(SELECT_CONTRADICTIONS, [space]);
    return tx.all(`${SELECT_CONTRADICTIONS} AND status = ?`, [space, status]);
  };
  // A contradiction of two of these memories is found twice.
  const found = new Map(readContradictions(tx, space, await rows()).map((one) => [one.id, one]));
  return selectContradictions(found.values(), filter);
}

function having(tx: SqlTransaction, space: string, column: string, values: readonly string[]): Promise<SqlRow[]> {
  const text = (list: string) => `${SELECT_CONTRADICTIONS} AND ${column} IN (${list})`;
  return selectIn(tx, text, [space], [...new Set(values)].map(toStoredText));
}

function readContradictions(tx: StoreTransaction, space: string, rows: readonly SqlRow[]): Contradiction[] {
  return openRows(tx, CONTRADICTIONS, rows, { space }).map(readContradictionRow);
}

function inOrder<T extends { readonly id: string }>(ids: readonly string[], items: readonly T[]): T[] {
  const found = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export function contradictionRow(space: string, contradiction: Contradiction): SqlValue[] {
  const { id, memoryA, memoryB, detectedAt, reason, status, resolvedAt, resolution, note } = contradiction;
  return [
    space,
    ...[id, memoryA, memoryB].map(toStoredText),
    detectedAt,
    toStoredText(reason),
    status,
    resolvedAt ?? null,
    resolution ?? null,
    toOptionalText(note),
    ...pack(otherFields(omitUndefined({ ...contradiction }), CONTRADICTION_FIELDS)),
  ];
}

function readContradictionRow(row: SqlRow): Contradiction {
  return omitUndefined({
    ...(unpack(row, "rest") as Partial<Contradiction> | undefined),
    id: storedTextOf(row, "id"),
    memoryA: storedTextOf(row, "memory_a"),
    memoryB: storedTextOf(row, "memory_b"),
    detectedAt: numberOf(row, "detected_at"),
    reason: storedTextOf(row, "reason"),
    status: textOf(row, "status") as Contradiction["status"],
    resolvedAt: optionalNumberOf(row, "resolved_at"),
    resolution: optionalTextOf(row, "resolution") as Contradiction["resolution"],
    note: optionalTextOf(row, "resolution_note"),
  });
}

export const JUDGEMENTS: Table = {
  name: "judgements",
  columns: ["space", "key", "contradicts"],
  replacedBy: ["space", "key"],
  sealing: { key: ["space", "key"], digested: ["key"] },
};
export const JUDGED: Table = {
  name: "judgement_memories",
  columns: ["space", "key", "memory_id"],
  sealing: { key: ["space", "key", "memory_id"], digested: ["key"] },
};

/** In the order of `keys`. */
export async function judgementsByKey(
  tx: StoreTransaction,
  space: string,
  keys: readonly string[],
): Promise<StoredJudgement[]> {
  const stored = new Map(keys.map((key) => [key, lookupValue(tx, "key", space, lookupKey(key))]));
  const text = (list: string) => `SELECT key, contradicts FROM judgements WHERE space = ? AND key IN (${list})`;
  const rows = await selectIn(tx, text, [space], [...new Set(stored.values())]);
  const found = new Map(rows.map((row) => [textOf(row, "key"), row.contradicts === 1]));
  return keys.flatMap((key) => {
    const contradicts = found.get(stored.get(key) ?? "");
    return contradicts === undefined ? [] : [{ key, contradicts }];
  });
}

export async function putJudgement(tx: StoreTransaction, space: string, judgement: NewJudgement): Promise<void> {
  const key = lookupKey(judgement.key);
  const ids = [...new Set(judgement.memoryIds)].map(toStoredText);
  await insertRows(tx, JUDGEMENTS, [[space, key, Number(judgement.contradicts)]]);
  const found = lookupValue(tx, "key", space, key);
  await tx.run("DELETE FROM judgement_memories WHERE space = ? AND key = ?", [space, found]);
  await insertRows(
    tx,
    JUDGED,
    ids.map((id) => [space, key, id]),
  );
}
