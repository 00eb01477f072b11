import type { SessionHead, SessionKey, SessionSummary } from "../../ports/store.ts";
import { isHeld } from "./lease.ts";
import type { SessionRow } from "./tables.ts";

/** A session without data. */
export function newSession({ userId, sessionId }: SessionKey, now: number): SessionRow {
  const counts = { appended: 0, revision: 0, compactions: 0, receipts: 0 };
  return { owner: userId, sessionId, ...counts, createdAt: now, updatedAt: now };
}

export function headOf(row: SessionRow | undefined, now: number): SessionHead {
  return {
    appended: row?.appended ?? 0,
    revision: row?.revision ?? 0,
    compactions: row?.compactions ?? 0,
    receipts: row?.receipts ?? 0,
    lastCompactionAt: row?.lastCompactionAt,
    isCompacting: isHeld(row?.lease, now),
  };
}

export function summaryOf(row: SessionRow, now: number): SessionSummary {
  const { sessionId, createdAt, updatedAt } = row;
  return { sessionId, createdAt, updatedAt, ...headOf(row, now) };
}
