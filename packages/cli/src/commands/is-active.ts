import type { StoredToken } from "throughline/internal";

/** True if a token is valid now. */
export function isActive({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}
