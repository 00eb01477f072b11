import type { StoredToken } from "throughline/internal";

/** Whether a token opens a server now. */
export function isHolding({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}
