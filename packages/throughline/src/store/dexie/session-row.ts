import type { SessionHead, SessionKey, SessionSummary } from "../../ports/store.ts";
import type { Lease, SessionRow } from "./tables.ts";

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

export interface LeaseRequest {
  readonly holder: string;
  /** More than 0. */
  readonly milliseconds: number;
  readonly now: number;
}

/** The lease after a request for it; `undefined` if another holder has it. */
export function takeLease(lease: Lease | undefined, { holder, milliseconds, now }: LeaseRequest): Lease | undefined {
  if (lease !== undefined && lease.holder !== holder && isHeld(lease, now)) return undefined;
  return { holder, until: now + milliseconds };
}

function isHeld(lease: Lease | undefined, now: number): boolean {
  return lease !== undefined && lease.until > now;
}
