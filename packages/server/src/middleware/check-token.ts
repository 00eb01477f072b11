import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { StoredToken, TokenStore } from "throughline/internal";

export type CheckedToken = StoredToken;

const FORM = /^tl_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
/** Milliseconds in which the use of a token is noted once. */
const NOTED = 60_000;

/** A token as its holder gets it, and as it is kept. It is shown once: from what is kept it cannot be made. */
export function makeToken(about: Omit<StoredToken, "id" | "hash">): {
  readonly secret: string;
  readonly token: StoredToken;
} {
  const id = randomBytes(8).toString("hex");
  const secret = `tl_${id}_${randomBytes(32).toString("base64url")}`;
  return { secret, token: { ...about, id, hash: hashOf(secret) } };
}

/** The token that was sent, where it is one of ours and holds. */
export async function checkToken(tokens: TokenStore, sent: string, now: number): Promise<CheckedToken | undefined> {
  const id = FORM.exec(sent)?.[1];
  const token = id === undefined ? undefined : await tokens.find(id);
  // What does not exist takes as long to refuse as what is wrong.
  const isRight = timingSafeEqual(Buffer.from(hashOf(sent)), Buffer.from(token?.hash ?? hashOf("")));
  if (token === undefined || !isRight || !isCurrentToken(token, now)) return undefined;
  if (now - (token.lastUsedAt ?? 0) > NOTED) await tokens.touch(token.id, now);
  return token;
}

/** Whether there is such a token, and it is neither revoked nor expired. */
export function isCurrentToken(token: StoredToken | undefined, now: number): boolean {
  return token !== undefined && token.revokedAt === undefined && (token.expiresAt ?? Number.POSITIVE_INFINITY) > now;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
