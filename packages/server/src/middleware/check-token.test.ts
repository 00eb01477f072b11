import type { StoredToken, TokenStore } from "throughline/internal/sql";
import { describe, expect, it } from "vitest";
import { makeToken, TokenChecker } from "./check-token.ts";

const ABOUT = { name: "laptop", userId: "ada", projects: ["*"], scopes: ["read"], createdAt: 0 } as const;

/** A store with one token, which counts how often it is read. */
function storeWith(token: StoredToken) {
  const state = { token, reads: 0 };
  const tokens = {
    find: async () => {
      state.reads += 1;
      return state.token;
    },
    touch: async () => undefined,
  } as unknown as TokenStore;
  return { state, tokens };
}

describe("a token checker", () => {
  it("reads a valid token once while it is trusted, and refuses it afterwards if it was revoked", async () => {
    const { secret, token } = makeToken({ ...ABOUT, expiresAt: 90_000 });
    const { state, tokens } = storeWith(token);
    const checker = new TokenChecker(tokens, 5_000);
    for (const now of [10, 20, 5_009]) expect(await checker.check(secret, now)).toMatchObject({ userId: "ada" });
    expect(state.reads).toBe(1);
    state.token = { ...token, revokedAt: 30 };
    expect(await checker.check(secret, 5_010)).toBeUndefined();
  });

  it("refuses a token that expires or is revoked here while it is trusted, and a wrong secret always", async () => {
    const { secret, token } = makeToken({ ...ABOUT, expiresAt: 100 });
    const { state, tokens } = storeWith(token);
    const checker = new TokenChecker(tokens, 5_000);
    expect(await checker.check(secret, 10)).toBeDefined();
    expect(await checker.check(secret, 100)).toBeUndefined();
    const last = secret.endsWith("A") ? "B" : "A";
    expect(await checker.check(secret.slice(0, -1) + last, 10)).toBeUndefined();
    state.token = { ...token, revokedAt: 11 };
    checker.forget();
    expect(await checker.check(secret, 12)).toBeUndefined();
  });
});
