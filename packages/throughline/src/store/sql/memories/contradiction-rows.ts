import { omitUndefined, otherFields } from "../../../internal/json.ts";
import type { Contradiction } from "../../../ports/memory.ts";
import { pack, unpack } from "../pack.ts";
import {
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  storedTextOf,
  textOf,
  toOptionalText,
  toStoredText,
} from "../row-values.ts";
import type { SqlRow, SqlValue } from "../sql-driver.ts";
import type { Table } from "../statements.ts";

/** Fields that have columns. All others are in `rest`. */
const FIELDS = [...["id", "memoryA", "memoryB", "detectedAt", "reason", "status", "resolvedAt", "resolution"], "note"];

const READ_COLUMNS = [
  ...["id", "memory_a", "memory_b", "detected_at", "reason", "status", "resolved_at", "resolution"],
  ...["resolution_note", "rest", "rest_packed"],
];
export const CONTRADICTION_COLUMNS = READ_COLUMNS.join(", ");

export const CONTRADICTIONS: Table = {
  name: "contradictions",
  columns: ["space", ...READ_COLUMNS],
  replacedBy: ["space", "id"],
  sealing: {
    key: ["space", "id"],
    content: { columns: ["reason", "resolution_note", "rest", "rest_packed"], into: "rest_packed" },
  },
};

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
    ...pack(otherFields(omitUndefined({ ...contradiction }), FIELDS)),
  ];
}

export function readContradictionRow(row: SqlRow): Contradiction {
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
