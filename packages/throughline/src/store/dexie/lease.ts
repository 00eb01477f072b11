import type { Lease } from "./tables.ts";

/** The lease as it is after somebody asked for it; nothing where another holder has it. */
export function takeLease(
  lease: Lease | undefined,
  { holder, milliseconds, now }: { readonly holder: string; readonly milliseconds: number; readonly now: number },
): Lease | undefined {
  if (lease !== undefined && lease.holder !== holder && isHeld(lease, now)) return undefined;
  // No time at all, where it is no number: a lease without an end would never be given to anybody else.
  return { holder, until: now + Math.max(0, milliseconds || 0) };
}

export function isHeld(lease: Lease | undefined, now: number): boolean {
  return lease !== undefined && lease.until > now;
}
