import type { SessionHead, SessionSummary, StoredCompaction, StoredReceipt } from "../../../ports/store.ts";
import {
  fromStoredText,
  numberOf,
  optionalNumberOf,
  pack,
  readJson,
  textOf,
  toStoredText,
  unpack,
  writeJson,
} from "../row-values.ts";
import type { SqlRow, SqlValue } from "../sql-driver.ts";
import type { Table } from "../statements.ts";

const KEY = ["owner", "session_id", "position"];
const OF_SESSION = [...KEY, "id", "created_at"];

export const COMPACTIONS: Table = {
  name: "compaction_events",
  columns: [
    ...OF_SESSION,
    "round",
    "tokens_before",
    "tokens_after",
    "summary_content",
    "compacted_message_ids",
    "detail",
    "detail_packed",
  ],
  sealing: {
    key: KEY,
    content: {
      columns: ["summary_content", "compacted_message_ids", "detail", "detail_packed"],
      into: "detail_packed",
    },
  },
};

export const RECEIPTS: Table = {
  name: "receipts",
  columns: [...OF_SESSION, "value", "value_packed"],
  sealing: { key: KEY, content: { columns: ["value", "value_packed"], into: "value_packed" } },
};

export const STATES: Table = {
  name: "session_states",
  columns: ["owner", "session_id", "state", "state_packed"],
  replacedBy: ["owner", "session_id"],
  sealing: { key: ["owner", "session_id"], content: { columns: ["state", "state_packed"], into: "state_packed" } },
};

/** Columns after the position. */
export function compactionValues(compaction: StoredCompaction): SqlValue[] {
  const { id, createdAt, round, tokensBefore, tokensAfter, summary, compactedMessageIds, detail } = compaction;
  return [
    toStoredText(id),
    createdAt,
    round,
    tokensBefore,
    tokensAfter,
    toStoredText(summary),
    writeJson(compactedMessageIds),
    ...pack(detail),
  ];
}

export function readCompactionRow(row: SqlRow): StoredCompaction {
  return {
    id: fromStoredText(textOf(row, "id")),
    round: numberOf(row, "round"),
    createdAt: numberOf(row, "created_at"),
    tokensBefore: numberOf(row, "tokens_before"),
    tokensAfter: numberOf(row, "tokens_after"),
    summary: fromStoredText(textOf(row, "summary_content")),
    compactedMessageIds: readJson(textOf(row, "compacted_message_ids")) as string[],
    detail: unpack(row, "detail"),
  };
}

/** Larger receipts are compressed: they repeat ids and names, and take a tenth then. */
const LARGE_RECEIPT = 1024;

/** Columns after the position. */
export function receiptValues({ id, createdAt, value }: StoredReceipt): SqlValue[] {
  return [toStoredText(id), createdAt, ...pack(value, LARGE_RECEIPT)];
}

export function readReceiptRow(row: SqlRow): StoredReceipt {
  return {
    id: fromStoredText(textOf(row, "id")),
    createdAt: numberOf(row, "created_at"),
    value: unpack(row, "value"),
  };
}

export const HEAD_COLUMNS =
  "appended, revision, compaction_count, receipt_count, last_compaction_at, currently_compacting";

/** `now` is the database's time. */
export function readHeadRow(row: SqlRow, now: number): SessionHead {
  return {
    appended: numberOf(row, "appended"),
    revision: numberOf(row, "revision"),
    compactions: numberOf(row, "compaction_count"),
    receipts: numberOf(row, "receipt_count"),
    lastCompactionAt: optionalNumberOf(row, "last_compaction_at"),
    isCompacting: isHeld(optionalNumberOf(row, "currently_compacting"), now),
  };
}

export function readSummaryRow(row: SqlRow, now: number): SessionSummary {
  return {
    sessionId: fromStoredText(textOf(row, "id")),
    createdAt: numberOf(row, "created_at"),
    updatedAt: numberOf(row, "updated_at"),
    ...readHeadRow(row, now),
  };
}

function isHeld(until: number | undefined, now: number): boolean {
  return until !== undefined && until > now && until <= latestLeaseEnd(now);
}

/** Maximum lease in milliseconds. */
const MAX_LEASE = 30 * 60_000;

/** End of a lease that starts now. NaN counts as 0, because it would never end. */
export function leaseEnd(now: number, milliseconds: number): number {
  return now + Math.min(MAX_LEASE, Math.max(0, milliseconds || 0));
}

/**
 * Latest possible end of a lease that has already started. A later end means that the clock was set back; the lease
 * then counts as expired, or it could not be taken until the clock has caught up.
 */
export function latestLeaseEnd(now: number): number {
  return now + MAX_LEASE;
}
