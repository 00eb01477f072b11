import type { AnswerStore, StoredAnswer } from "../../ports/server-store.ts";
import { assert, assertRefused, assertSame, eventually } from "../assert.ts";
import { HARD_TEXT, noise } from "../samples.ts";
import type { ServerFact } from "../server-check.ts";

const LONG = 600_000;

function answer(body: string): StoredAnswer {
  return { request: "hash", status: 201, headers: { "content-type": "application/json" }, body };
}

export const ANSWER_FACTS: readonly ServerFact[] = [
  [
    "a key is claimed by one of many, and who comes later gets the answer",
    async ({ answers }, owner) => {
      const claims = await Promise.all([1, 2, 3, 4, 5].map(() => answers.claim(owner, "k", "hash", LONG)));
      assertSame(claims.toSorted(), ["busy", "busy", "busy", "busy", "taken"], "what they get");
      await answers.save(owner, "k", answer("first"));
      for (const request of ["hash", "another"]) {
        assertSame(await answers.claim(owner, "k", request, LONG), answer("first"), "what the next gets");
      }
      await answers.save(owner, "k", answer("second"));
      await answers.release(owner, "k");
      assertSame(await answers.claim(owner, "k", "hash", LONG), answer("first"), "what stays");
    },
  ],
  [
    "answers of any kind come back, under keys of any kind",
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
    "keys of others, and other keys, are others",
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
    "a claim that is given back or left behind is free for the next",
    async ({ answers }, owner) => {
      await claimed(answers, owner, "k");
      await answers.release(owner, "k");
      await claimed(answers, owner, "k", 20);
      const isTaken = async () => (await answers.claim(owner, "k", "hash", LONG)) === "taken";
      await eventually(isTaken, "it is taken again");
      assertSame(await answers.claim(owner, "k", "hash", LONG), "busy", "what the next gets");
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
    "who was slow may still keep its answer, unless it named itself and another has the key",
    async ({ answers }, owner) => {
      await claimed(answers, owner, "slow", 0);
      await answers.save(owner, "slow", answer("late"));
      assertSame(await answers.claim(owner, "slow", "hash", LONG), answer("late"), "what the next gets");
      await claimed(answers, owner, "k", 0, "one");
      await claimed(answers, owner, "k", LONG, "two");
      await answers.release(owner, "k", "one");
      await answers.save(owner, "k", answer("of one"), "one");
      assertSame(await answers.claim(owner, "k", "hash", LONG, "three"), "busy", "what the next gets");
      await claimed(answers, owner, "k", LONG, "two");
      await answers.save(owner, "k", answer("of two"), "two");
      assertSame(await answers.claim(owner, "k", "hash", LONG, "one"), answer("of two"), "what stays");
      assertSame(await answers.claim(owner, "k", "hash", LONG, "two"), answer("of two"), "what its holder gets");
    },
  ],
  [
    "answers of before are swept, and no claim that still holds",
    async ({ answers }, owner) => {
      for (const key of ["kept", "left"]) await claimed(answers, owner, key, key === "left" ? 0 : LONG);
      await claimed(answers, owner, "held");
      await answers.save(owner, "kept", answer("old"));
      await answers.sweep(0);
      assertSame(await answers.claim(owner, "kept", "hash", LONG), answer("old"), "what is not so old");
      // The clock of the store is not known here.
      assert((await answers.sweep(2 ** 52)) >= 2, "two at least are swept");
      assertSame(await answers.claim(owner, "held", "hash", LONG), "busy", "what is held");
      for (const key of ["kept", "left"]) await claimed(answers, owner, key);
    },
  ],
  [
    "an erasure takes all answers of an owner, and what is under way is not kept",
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
      assertSame(await answers.erase({ owner, except }), 2, "how many went");
      assertSame(await answers.claim(owner, "under way", "hash", LONG), "busy", "it is still under way");
      await claimed(answers, owner, "renewed", LONG, "h");
      for (const key of ["under way", "renewed", "purge"]) {
        await answers.save(owner, key, answer(key), "h");
        await answers.save(stranger, key, answer(key), "h");
      }
      for (const key of ["a", "b", "under way", "renewed"]) await claimed(answers, owner, key);
      assertSame(await answers.claim(owner, "purge", "hash", LONG), answer("purge"), "its own answer");
      for (const key of ["under way", "renewed", "purge"]) {
        assertSame(await answers.claim(stranger, key, "hash", LONG), answer(key), "the stranger's");
      }
      assert((await answers.erase({ except })) >= 5, "everybody's go, where nobody is named");
      for (const key of ["a", "b", "purge"]) await claimed(answers, stranger, key);
      assertSame(await answers.claim(owner, "purge", "hash", LONG), answer("purge"), "what was spared");
    },
  ],
  [
    "who takes over what was left behind keeps its answer, whatever was erased before",
    async ({ answers }, owner) => {
      await claimed(answers, owner, "k", 0, "gone");
      assertSame(await answers.erase({ owner }), 0, "how many went");
      await claimed(answers, owner, "k", LONG, "next");
      await answers.save(owner, "k", answer("new"), "next");
      assertSame(await answers.claim(owner, "k", "hash", LONG), answer("new"), "the answer");
    },
  ],
  [
    "a note is committed with its write or not at all, and goes to who takes the key over",
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
      assertSame(await answers.claim(owner, "k", "hash", LONG, "two"), interrupted, "what the next gets");
      const late = answers.noting(
        claim,
        () => 1,
        () => tokens.add({ ...token, id: `${owner} late` }),
      );
      await assertRefused(late, "unavailable", "a write of who lost the key");
      assertSame(await tokens.find(`${owner} late`), undefined, "what it wrote");
      await answers.save(owner, "k", answer("done"), "two");
      assertSame(await answers.claim(owner, "k", "hash", LONG), answer("done"), "the answer");
    },
  ],
  [
    "an erasure takes notes too, and the next holder learns that there were some",
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
        assertSame(await answers.claim(owner, when, "hash", LONG, "two"), unknown, "what the next gets");
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
