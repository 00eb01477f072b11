import type { Lease } from "./tables.ts";

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

export function isHeld(lease: Lease | undefined, now: number): boolean {
  return lease !== undefined && lease.until > now;
}
