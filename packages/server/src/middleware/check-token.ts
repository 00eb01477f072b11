import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { StoredToken, TokenStore } from "throughline/internal/sql";
import { AT_LEAST_ZERO, checkOptions, Lru, type OptionRules, TEXT, TEXTS } from "throughline/internal/util";

export type CheckedToken = StoredToken;

const FORM = /^tl_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
/** Milliseconds during which the use of a token is recorded only once. */
const NOTED = 60_000;

const TOKEN_RULES: OptionRules<Omit<StoredToken, "id" | "hash">> = {
  name: TEXT,
  userId: TEXT,
  projects: TEXTS,
  scopes: TEXTS,
  createdAt: AT_LEAST_ZERO,
  expiresAt: AT_LEAST_ZERO,
  revokedAt: AT_LEAST_ZERO,
  lastUsedAt: AT_LEAST_ZERO,
};

/**
 * Creates an access token in two forms: the secret for its holder, and the stored form, which only has a hash.
 *
 * @param about Name, user, projects, scopes and times of the token.
 * @returns The secret, which cannot be recovered later, and the token to add to `store.server.tokens`.
 * @throws InvalidOptionError if a field is invalid or unknown.
 *
 * @example
 * const about = { name: "laptop", userId: "ada", projects: ["*"], scopes: ["read", "write"] as const };
 * const { secret, token } = makeToken({ ...about, createdAt: Date.now() });
 */
export function makeToken(about: Omit<StoredToken, "id" | "hash">): {
  readonly secret: string;
  readonly token: StoredToken;
} {
  checkOptions("makeToken", about, TOKEN_RULES);
  const id = randomBytes(8).toString("hex");
  const secret = `tl_${id}_${randomBytes(32).toString("base64url")}`;
  return { secret, token: { ...about, id, hash: hashOf(secret) } };
}

const MAX_KNOWN = 10_000;

/**
 * Checks tokens. A valid one is trusted for a while: if another process revokes it, it is refused after that time; if
 * this server does, at once. The expiry is checked each time.
 */
export class TokenChecker {
  readonly #tokens: TokenStore;
  /** Milliseconds for which a token that was found is not read again. */
  readonly #trusted: number;
  /** By the hash of the secret, with the time of the last look. */
  readonly #known = new Lru<string, { readonly token: CheckedToken; readonly at: number }>({ maxSize: MAX_KNOWN });

  constructor(tokens: TokenStore, trusted: number) {
    this.#tokens = tokens;
    this.#trusted = trusted;
  }

  /** The stored token for this secret, if it is valid. */
  async check(sent: string, now: number): Promise<CheckedToken | undefined> {
    const hash = hashOf(sent);
    const known = this.#known.get(hash);
    const age = now - (known?.at ?? Number.NEGATIVE_INFINITY);
    // The clock may have been set back.
    if (known !== undefined && age >= 0 && age < this.#trusted) {
      return isCurrentToken(known.token, now) ? known.token : undefined;
    }
    const token = await checkToken(this.#tokens, sent, now);
    if (token === undefined) this.#known.delete(hash);
    else this.#known.set(hash, { token, at: now });
    return token;
  }

  /** Call it when a token was revoked. */
  forget(): void {
    this.#known.clear();
  }
}

async function checkToken(tokens: TokenStore, sent: string, now: number): Promise<CheckedToken | undefined> {
  const id = FORM.exec(sent)?.[1];
  const token = id === undefined ? undefined : await tokens.find(id);
  // Unknown tokens take as long to reject as wrong ones.
  const isRight = timingSafeEqual(Buffer.from(hashOf(sent)), Buffer.from(token?.hash ?? hashOf("")));
  if (token === undefined || !isRight || !isCurrentToken(token, now)) return undefined;
  if (now - (token.lastUsedAt ?? 0) > NOTED) await tokens.touch(token.id, now);
  return token;
}

/** True if the token exists and is neither revoked nor expired. */
export function isCurrentToken(token: StoredToken | undefined, now: number): boolean {
  return token !== undefined && token.revokedAt === undefined && (token.expiresAt ?? Number.POSITIVE_INFINITY) > now;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
