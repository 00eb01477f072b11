/** No lease is longer, in milliseconds. */
const MAX_LEASE = 30 * 60_000;

/** When a lease that begins now ends. One whose length is no number has none: it would never end. */
export function leaseEnd(now: number, milliseconds: number): number {
  return now + Math.min(MAX_LEASE, Math.max(0, milliseconds || 0));
}

/**
 * The latest time at which a lease that began by now can end. One that ends later began before the clock was set back: it
 * counts as over, or nobody could take it until the clock has caught up.
 */
export function latestLeaseEnd(now: number): number {
  return now + MAX_LEASE;
}
