import type { AnswerStore, StoredAnswer, StoredToken } from "../../ports/server-store.ts";
import { assert, assertRefused, assertSame, eventually, type ServerFact } from "../conformance.ts";
import { HARD_TEXT, noise } from "../samples.ts";

const LONG = 600_000;

function answer(body: string): StoredAnswer {
  return { request: "hash", status: 201, headers: { "content-type": "application/json" }, body };
}

export const ANSWER_FACTS: readonly ServerFact[] = [
  [
    "one of several concurrent claims of a key succeeds, and later claims get the saved answer",
    async ({ answers }, owner) => {
      const claims = await Promise.all([1, 2, 3, 4, 5].map(() => answers.claim(owner, "k", "hash", LONG)));
      assertSame(claims.toSorted(), ["busy", "busy", "busy", "busy", "taken"], "the results of the claims");
      await answers.save(owner, "k", answer("first"));
      for (const request of ["hash", "another"]) {
        assertSame(await answers.claim(owner, "k", request, LONG), answer("first"), "the result of the next claim");
      }
      await answers.save(owner, "k", answer("second"));
      await answers.release(owner, "k");
      assertSame(await answers.claim(owner, "k", "hash", LONG), answer("first"), "the saved answer");
    },
  ],
  [
    "answers and keys with any text round-trip",
    async ({ answers }, owner) => {
      const bodies = ["", "{}", HARD_TEXT, noise(300_000), "東京 \0 \ud83d".repeat(50_000)];
      for (const [i, body] of bodies.entries()) {
        const kept = {
          request: HARD_TEXT,
          status: 200 + i,
          headers: { [`x-${i}`]: HARD_TEXT, ["__proto__"]: "x" },
          body,
        };
        for (const key of [`${i}`, `${i} ${HARD_TEXT}`, `${i} ${"long ".repeat(500)}`]) {
          assertSame(await answers.claim(owner + HARD_TEXT, key, HARD_TEXT, LONG), "taken", "the claim");
          await answers.save(owner + HARD_TEXT, key, kept);
          assertSame(await answers.claim(owner + HARD_TEXT, key, HARD_TEXT, LONG), kept, "the answer");
        }
      }
    },
  ],
  [
    "keys are distinct per owner and compared exactly",
    async ({ answers }, owner) => {
      await claimed(answers, owner, "k");
      await answers.save(owner, "k", answer("mine"));
      for (const [stranger, key] of [
        [`${owner}2`, "k"],
        [owner.toUpperCase(), "k"],
        [owner, "K"],
        [owner, "k\0"],
        [owner, "long ".repeat(500)],
        [owner, `${"long ".repeat(500)}.`],
      ] as const) {
        await claimed(answers, stranger, key);
        await answers.release(stranger, key);
      }
      assertSame(await answers.claim(owner, "k", "hash", LONG), answer("mine"), "the answer");
    },
  ],
  [
    "a released or expired claim can be claimed again",
    async ({ answers }, owner) => {
      await claimed(answers, owner, "k");
      await answers.release(owner, "k");
      await claimed(answers, owner, "k", 20);
      const isTaken = async () => (await answers.claim(owner, "k", "hash", LONG)) === "taken";
      await eventually(isTaken, "the expired claim is taken again");
      assertSame(await answers.claim(owner, "k", "hash", LONG), "busy", "the result of the next claim");
      for (const [i, milliseconds] of [0, -1, Number.NaN].entries()) {
        await claimed(answers, owner, `none ${i}`, milliseconds);
        await claimed(answers, owner, `none ${i}`);
      }
      await answers.release(owner, "never claimed");
      await answers.save(owner, "never claimed", answer("late"));
      await claimed(answers, owner, "never claimed");
    },
  ],
  [
    "an answer can be saved after its claim expired, unless another named holder has the key",
    async ({ answers }, owner) => {
      await claimed(answers, owner, "slow", 0);
      await answers.save(owner, "slow", answer("late"));
      assertSame(await answers.claim(owner, "slow", "hash", LONG), answer("late"), "the result of the next claim");
      await claimed(answers, owner, "k", 0, "one");
      await claimed(answers, owner, "k", LONG, "two");
      await answers.release(owner, "k", "one");
      await answers.save(owner, "k", answer("of one"), "one");
      assertSame(await answers.claim(owner, "k", "hash", LONG, "three"), "busy", "the result of the next claim");
      await claimed(answers, owner, "k", LONG, "two");
      await answers.save(owner, "k", answer("of two"), "two");
      assertSame(await answers.claim(owner, "k", "hash", LONG, "one"), answer("of two"), "the saved answer");
      assertSame(await answers.claim(owner, "k", "hash", LONG, "two"), answer("of two"), "the result for the holder");
    },
  ],
  [
    "a sweep deletes old answers and expired claims, not active claims",
    async ({ answers }, owner) => {
      for (const key of ["kept", "left"]) await claimed(answers, owner, key, key === "left" ? 0 : LONG);
      await claimed(answers, owner, "held");
      await answers.save(owner, "kept", answer("old"));
      await answers.sweep(0);
      assertSame(
        await answers.claim(owner, "kept", "hash", LONG),
        answer("old"),
        "the answer that is newer than the limit",
      );
      // The store's clock may differ from the test's, so the limit is far in the future.
      assert((await answers.sweep(2 ** 52)) >= 2, "at least two are swept");
      assertSame(await answers.claim(owner, "held", "hash", LONG), "busy", "the active claim");
      for (const key of ["kept", "left"]) await claimed(answers, owner, key);
    },
  ],
  [
    "an erasure deletes all answers of an owner, including those of active claims",
    async ({ answers }, owner) => {
      const stranger = `${owner}2`;
      for (const one of [owner, stranger]) {
        for (const key of ["a", "b"]) {
          await claimed(answers, one, key);
          await answers.save(one, key, answer(`${one} ${key}`));
        }
        for (const key of ["under way", "renewed", "purge"]) await claimed(answers, one, key, LONG, "h");
      }
      const except = { owner, key: "purge" };
      assertSame(await answers.erase({ owner, except }), 2, "the number of erased answers");
      assertSame(await answers.claim(owner, "under way", "hash", LONG), "busy", "the active claim");
      await claimed(answers, owner, "renewed", LONG, "h");
      for (const key of ["under way", "renewed", "purge"]) {
        await answers.save(owner, key, answer(key), "h");
        await answers.save(stranger, key, answer(key), "h");
      }
      for (const key of ["a", "b", "under way", "renewed"]) await claimed(answers, owner, key);
      assertSame(await answers.claim(owner, "purge", "hash", LONG), answer("purge"), "the excepted answer");
      for (const key of ["under way", "renewed", "purge"]) {
        assertSame(await answers.claim(stranger, key, "hash", LONG), answer(key), "the other owner's answer");
      }
      assert((await answers.erase({ except })) >= 5, "without an owner, the answers of all owners are erased");
      for (const key of ["a", "b", "purge"]) await claimed(answers, stranger, key);
      assertSame(await answers.claim(owner, "purge", "hash", LONG), answer("purge"), "the excepted answer");
    },
  ],
  [
    "a claim taken over after an erasure saves its answer",
    async ({ answers }, owner) => {
      await claimed(answers, owner, "k", 0, "gone");
      assertSame(await answers.erase({ owner }), 0, "the number of erased answers");
      await claimed(answers, owner, "k", LONG, "next");
      await answers.save(owner, "k", answer("new"), "next");
      assertSame(await answers.claim(owner, "k", "hash", LONG), answer("new"), "the answer");
    },
  ],
  [
    "a note is committed atomically with its write, and the next holder of the key gets it",
    async ({ answers, tokens }, owner) => {
      const claim = { owner, key: "k", request: "hash", holder: "one" };
      const token = { id: owner, name: HARD_TEXT, hash: "h", userId: owner, projects: [], scopes: [], createdAt: 1 };
      await claimed(answers, owner, "k", 0, "one");
      await answers.noting(
        claim,
        () => HARD_TEXT,
        () => tokens.add(token),
      );
      const failing = answers.noting(
        claim,
        () => "of a write that failed",
        () => tokens.add(token),
      );
      await assertRefused(failing, "duplicate-id", "the same token again");
      const notOne = () => undefined;
      await answers.noting(claim, notOne, () => tokens.revoke(owner, 2));
      await answers.release(owner, "k", "one");
      const interrupted = { request: "hash", notes: [HARD_TEXT] };
      assertSame(await answers.claim(owner, "k", "hash", LONG, "two"), interrupted, "the result of the next claim");
      const late = answers.noting(
        claim,
        () => 1,
        () => tokens.add({ ...token, id: `${owner} late` }),
      );
      await assertRefused(late, "unavailable", "a write by a former holder");
      assertSame(await tokens.find(`${owner} late`), undefined, "the token of the refused write");
      await answers.save(owner, "k", answer("done"), "two");
      assertSame(await answers.claim(owner, "k", "hash", LONG), answer("done"), "the answer");
    },
  ],
  [
    "an erasure deletes notes too, and the next holder sees that notes existed",
    async ({ answers, tokens }, owner) => {
      for (const [i, when] of ["before", "after"].entries()) {
        const holder = "one";
        await claimed(answers, owner, when, LONG, holder);
        if (when === "after") await answers.erase({ owner });
        await answers.noting(
          { owner, key: when, request: "hash", holder },
          () => "secret",
          () => tokens.revoke(owner, i),
        );
        if (when === "before") await answers.erase({ owner });
        await answers.save(owner, when, answer("not kept"), holder);
        const unknown = { request: "", notes: undefined };
        assertSame(await answers.claim(owner, when, "hash", LONG, "two"), unknown, "the result of the next claim");
      }
    },
  ],
];

async function claimed(answers: AnswerStore, owner: string, key: string, milliseconds = LONG, holder?: string) {
  assertSame(
    await answers.claim(owner, key, "hash", milliseconds, holder),
    "taken",
    `the claim of ${key.slice(0, 40)}`,
  );
}

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
