import { omitUndefined, otherFields } from "../../../internal/json.ts";
import type { JournalChange, JournalEntry } from "../../../ports/memory-store.ts";
import { namesOthers } from "../../without-references.ts";
import { pack, unpack } from "../pack.ts";
import { numberOf, optionalTextOf, storedTextOf, textOf } from "../read-row.ts";
import type { SqlRow, SqlValue } from "../sql-driver.ts";
import type { Table } from "../statements.ts";
import { toOptionalText, toStoredText } from "../stored-text.ts";

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
const FIELDS = ["id", "at", "action", "undoes", "changes"];

/** The journal entry of a commit at `position`. */
export function journalRow(space: string, revision: number, position: number, entry: JournalEntry): SqlValue[] {
  const { id, at, action, undoes } = entry;
  const rest = otherFields(omitUndefined({ ...entry }), FIELDS);
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
export function readJournalRow(row: SqlRow, changes: readonly SqlRow[]): JournalEntry {
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
