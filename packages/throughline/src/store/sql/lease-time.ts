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
