import type { StoredToken } from "../../ports/server-store.ts";
import { assert, assertRefused, assertSame } from "../assert.ts";
import { HARD_TEXT } from "../samples.ts";
import type { ServerFact } from "../server-check.ts";

const TIME = 1_700_000_000_000;

function token(id: string, userId: string, fields: Partial<StoredToken> = {}): StoredToken {
  const rights = { projects: ["*"], scopes: ["read", "write"] } as const;
  return { id, name: `Token ${id}`, hash: `hash of ${id}`, userId, ...rights, createdAt: TIME, ...fields };
}

export const TOKEN_FACTS: readonly ServerFact[] = [
  [
    "a token with any text round-trips",
    async ({ tokens }, owner) => {
      const full = token(`${owner} ${HARD_TEXT}`, owner + HARD_TEXT, {
        name: HARD_TEXT,
        projects: ["a", HARD_TEXT, ""],
        scopes: ["read", "write", "admin"],
        createdAt: TIME + 0.5,
        expiresAt: TIME + 1,
        revokedAt: TIME + 2,
        lastUsedAt: TIME + 3,
      });
      const bare = token(`${owner} bare`, owner + HARD_TEXT, { projects: [], scopes: [], createdAt: TIME + 9 });
      for (const one of [full, bare]) await tokens.add(one);
      for (const one of [full, bare]) assertSame(await tokens.find(one.id), one, "the token");
      assertSame(await tokens.list({ userId: owner + HARD_TEXT }), [full, bare], "the user's tokens");
      assertSame(await tokens.find(`${owner} none`), undefined, "an unknown token");
    },
  ],
  [
    "a duplicate token id is refused",
    async ({ tokens }, owner) => {
      const first = token(owner, owner);
      await tokens.add(first);
      await assertRefused(tokens.add({ ...first, name: "second" }), "duplicate-id", "the same id");
      assertSame(await tokens.find(owner), first, "the token");
      const added = ["a", "b", "c"].map((name) => tokens.add({ ...token(`${owner} raced`, owner), name }));
      const results = await Promise.allSettled(added);
      assertSame(
        results.filter(({ status }) => status === "fulfilled").length,
        1,
        "the number of tokens added with one id",
      );
    },
  ],
  [
    "tokens of all users or of one user are listed by age",
    async ({ tokens }, owner) => {
      const ids = ["c", "a", "b"].map((id) => `${owner} ${id}`);
      for (const [i, id] of ids.entries()) await tokens.add(token(id, owner, { createdAt: TIME + 10 - i }));
      await tokens.add(token(`${owner} other`, `${owner}2`));
      assertSame(
        (await tokens.list({ userId: owner })).map(({ id }) => id),
        ids.toReversed(),
        "the user's tokens",
      );
      const all = (await tokens.list()).map(({ id }) => id).filter((id) => id.startsWith(owner));
      assertSame(all, [`${owner} other`, ...ids.toReversed()], "all of them");
      assertSame(await tokens.list({ userId: `${owner}%` }), [], "tokens of a user with a wildcard in the name");
    },
  ],
  [
    "a token is revoked once, and keeps the latest time of use",
    async ({ tokens }, owner) => {
      await tokens.add(token(owner, owner));
      await tokens.add(token(`${owner}2`, owner));
      await tokens.touch(owner, TIME + 5);
      await tokens.touch(owner, TIME + 3);
      await tokens.touch(`${owner} none`, TIME);
      assert(await tokens.revoke(owner, TIME + 7), "it is revoked");
      assert(!(await tokens.revoke(owner, TIME + 9)), "it is not revoked again");
      assert(!(await tokens.revoke(`${owner} none`, TIME)), "an unknown token is not revoked");
      const known = token(owner, owner, { lastUsedAt: TIME + 5, revokedAt: TIME + 7 });
      assertSame(await tokens.find(owner), known, "the token");
      assertSame(await tokens.find(`${owner}2`), token(`${owner}2`, owner), "the other token");
    },
  ],
];
