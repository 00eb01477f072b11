import type { Commit } from "../../ports/store.ts";
import { assert, assertRefused, assertSame, eventually, type StoreFact } from "../conformance.ts";
import { compaction, conversation, HARD_TEXT, noise, receipt } from "../samples.ts";

const STATES: readonly unknown[] = [
  { entries: [{ message: "m0" }], text: HARD_TEXT, bytes: Uint8Array.of(0, 255), none: null },
  { large: noise(200_000), list: Array.from({ length: 20_000 }, (_, i) => i) },
  [],
  "text",
  0,
  null,
];

export const COMMIT_FACTS: readonly StoreFact[] = [
  [
    "a commit replaces the whole state",
    async (store, key) => {
      assertSame(await store.sessions.state(key), undefined, "the state at first");
      for (const [revision, state] of STATES.entries()) {
        assertSame(await store.sessions.commit(key, { revision, state }), true, `commit ${revision}`);
        assertSame(await store.sessions.state(key), state, `state ${revision}`);
        assertSame((await store.sessions.head(key)).revision, revision + 1, "the revision");
      }
    },
  ],
  [
    "a commit without a state keeps the state",
    async (store, key) => {
      await store.sessions.commit(key, { revision: 0, state: { a: 1 } });
      await store.sessions.commit(key, { revision: 1, receipts: [receipt("r")] });
      await store.messages.append(key, 0, conversation(key, 2));
      assertSame(await store.sessions.state(key), { a: 1 }, "the state");
      assertSame((await store.sessions.head(key)).revision, 2, "the revision, which an append does not change");
    },
  ],
  [
    "a commit on an outdated revision writes nothing",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 2));
      for (const revision of [1, -1, 0.5, Number.NaN]) {
        assertSame(await store.sessions.commit(key, everything(revision)), false, `one on ${revision} instead of 0`);
      }
      await store.sessions.commit(key, { revision: 0, state: "kept" });
      for (const revision of [0, 2]) {
        assertSame(await store.sessions.commit(key, everything(revision)), false, `one on ${revision} instead of 1`);
      }
      await assertUntouched(store, key, "kept", 1);
    },
  ],
  [
    "one of several concurrent commits on a revision succeeds",
    async (store, key) => {
      for (const revision of [0, 1, 2]) {
        const rivals = ["a", "b", "c", "d"].map((name) => `${name}${revision}`);
        const results = await Promise.all(
          rivals.map((state) => store.sessions.commit(key, { revision, state, receipts: [receipt(state)] })),
        );
        const winners = rivals.filter((_, i) => results[i]);
        assertSame(winners.length, 1, "the number of commits that were written");
        assertSame(await store.sessions.state(key), winners[0], "the state");
        assertSame(await store.sessions.receipts(key, 1), [receipt(winners[0] ?? "")], "the newest receipt");
      }
      assertSame((await store.sessions.head(key)).receipts, 3, "the number of receipts");
    },
  ],
  [
    "compactions are read in order, all or by id",
    async (store, key) => {
      const large = compaction("c3", 3, { large: noise(100_000), bytes: Uint8Array.of(1) });
      const odd = { ...compaction("c0", 4), summary: HARD_TEXT, compactedMessageIds: [HARD_TEXT], tokensAfter: 0 };
      const all = [compaction("c9", 1), compaction("c1", 2, undefined), large, odd];
      await store.sessions.commit(key, { revision: 0, compactions: all.slice(0, 1) });
      await store.sessions.commit(key, { revision: 1, compactions: all.slice(1) });
      assertSame(await store.sessions.compactions(key), all, "all");
      assertSame(await store.sessions.compactions(key, ["c3", "none", "c9", "c3"]), [all[0], all[2]], "some");
      assertSame(await store.sessions.compactions(key, []), [], "none");
    },
  ],
  [
    "the newest receipts are read, oldest first",
    async (store, key) => {
      const all = Array.from({ length: 20 }, (_, i) => receipt(`r${i}`, i === 3 ? { large: noise(90_000) } : { i }));
      await store.sessions.commit(key, { revision: 0, receipts: all.slice(0, 5) });
      await store.sessions.commit(key, { revision: 1, receipts: all.slice(5) });
      assertSame(await store.sessions.receipts(key), all, "all");
      for (const limit of [0, 1, 17, 100, Number.POSITIVE_INFINITY]) {
        assertSame(await store.sessions.receipts(key, limit), limit === 0 ? [] : all.slice(-limit), `${limit} of them`);
      }
    },
  ],
  [
    "a commit with a duplicate id of a compaction or receipt is refused as a whole",
    async (store, key) => {
      const twice = [compaction("twice", 1), compaction("twice", 2)];
      await assertRefused(
        store.sessions.commit(key, { revision: 0, compactions: twice }),
        "duplicate-id",
        "a repeated id",
      );
      assertSame(await store.sessions.list(key.userId), [], "the sessions of the user");
      await store.messages.append(key, 0, conversation(key, 2));
      const first = { compactions: [compaction("c", 1)], receipts: [receipt("r")], state: "kept" };
      await store.sessions.commit(key, { revision: 0, ...first });
      const repeats: Commit[] = [
        { ...everything(1), compactions: [compaction("fresh", 2), compaction("c", 3)] },
        { ...everything(1), receipts: [receipt("fresh"), receipt("r")] },
        { ...everything(1), receipts: [receipt("fresh"), receipt("fresh")] },
      ];
      for (const repeat of repeats) {
        await assertRefused(store.sessions.commit(key, repeat), "duplicate-id", "an existing id");
      }
      assertSame(await store.sessions.compactions(key), first.compactions, "the compactions");
      assertSame(await store.sessions.receipts(key), first.receipts, "the receipts");
      await assertUntouched(store, key, "kept", 1);
    },
  ],
  [
    "the head counts messages, compactions and receipts",
    async (store, key) => {
      const nothing = {
        appended: 0,
        revision: 0,
        compactions: 0,
        receipts: 0,
        lastCompactionAt: undefined,
        isCompacting: false,
      };
      assertSame(await store.sessions.head(key), nothing, "the head at first");
      await store.messages.append(key, 0, conversation(key, 3));
      await store.sessions.commit(key, { revision: 0, compactions: [compaction("a", 1), compaction("b", 2)] });
      await store.sessions.commit(key, { revision: 1, receipts: [receipt("r")] });
      const lastCompactionAt = compaction("b", 2).createdAt;
      const head = { ...nothing, appended: 3, revision: 2, compactions: 2, receipts: 1, lastCompactionAt };
      assertSame(await store.sessions.head(key), head, "the head");
      assert(await store.sessions.commit(key, { revision: 2 }), "an empty commit increments the revision");
      assertSame(await store.sessions.head(key), { ...head, revision: 3 }, "the head after it");
    },
  ],
];

/** A commit with items of all kinds. */
function everything(revision: number): Commit {
  return {
    revision,
    state: "new",
    compactions: [compaction("new", 9)],
    receipts: [receipt("new")],
    marks: new Map([["m0.0", 1]]),
  };
}

async function assertUntouched(
  store: Parameters<StoreFact[1]>[0],
  key: Parameters<StoreFact[1]>[1],
  state: unknown,
  revision: number,
): Promise<void> {
  assertSame(await store.sessions.state(key), state, "the state");
  assertSame((await store.sessions.head(key)).revision, revision, "the revision");
  assertSame(await store.sessions.compactions(key, ["new", "fresh"]), [], "new compactions");
  const receipts = await store.sessions.receipts(key);
  assert(!receipts.some(({ id }) => id === "new" || id === "fresh"), "there is no new receipt");
  assertSame(await store.messages.marks(key), new Map(), "the marks");
}

const LONG = 600_000;

export const LEASE_FACTS: readonly StoreFact[] = [
  [
    "a lease has one holder, and only that can renew or release it",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      const { sessions } = store;
      assert(!(await sessions.head(key)).isCompacting, "it has no holder at first");
      assert(await sessions.lease(key, "one", LONG), "the first gets it");
      assert((await sessions.head(key)).isCompacting, "the head shows that it is held");
      assert(!(await sessions.lease(key, "two", LONG)), "another does not get it");
      assert(await sessions.lease(key, "one", LONG), "the holder renews it");
      await sessions.lease(key, "two", 0);
      assert(!(await sessions.lease(key, "two", LONG)), "another holder cannot release it");
      await sessions.lease(key, "one", 0);
      assert(!(await sessions.head(key)).isCompacting, "it has no holder after the release");
      assert(await sessions.lease(key, "two", LONG), "another holder gets it after the release");
    },
  ],
  [
    "one of several concurrent requests gets the lease",
    async (store, key) => {
      const holders = ["a", "b", "c", "d"];
      const results = await Promise.all(holders.map((holder) => store.sessions.lease(key, holder, LONG)));
      assertSame(results.filter(Boolean).length, 1, "the number of holders");
    },
  ],
  [
    "a lease expires",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      assert(await store.sessions.lease(key, "gone", 30), "the first gets it");
      await eventually(async () => !(await store.sessions.head(key)).isCompacting, "it has no holder after it expired");
      assert(await store.sessions.lease(key, "next", LONG), "the next gets it");
      assert(!(await store.sessions.lease(key, "gone", LONG)), "the former holder does not get it back");
    },
  ],
  [
    "a renewal sets the duration, even to a shorter one",
    async (store, key) => {
      assert(await store.sessions.lease(key, "one", LONG), "the first gets it");
      assert(await store.sessions.lease(key, "one", 30), "the holder shortens it");
      await eventually(() => store.sessions.lease(key, "two", LONG), "another gets it");
    },
  ],
  [
    "a lease without a positive duration releases it, grants nothing and creates no session",
    async (store, key) => {
      const { sessions } = store;
      for (const milliseconds of [0, -1, Number.NaN]) {
        assert(!(await sessions.lease(key, "one", milliseconds)), "it is not granted");
        assertSame(await sessions.list(key.userId), [], "the sessions");
      }
      for (const milliseconds of [0, -1, Number.NaN]) {
        assert(await sessions.lease(key, "one", LONG), "the first gets it");
        assert(
          !(await sessions.lease(key, "two", milliseconds)),
          "a request without a positive duration by another holder is not granted",
        );
        assert((await sessions.head(key)).isCompacting, "the first still has it");
        assert(!(await sessions.lease(key, "one", milliseconds)), "the first holder releases it");
        assert(!(await sessions.head(key)).isCompacting, "it has no holder");
      }
      assert(await sessions.lease(key, "two", LONG), "another gets it");
    },
  ],
  [
    "a lease does not block writes",
    async (store, key) => {
      await store.sessions.lease(key, "one", LONG);
      assert(await store.messages.append(key, 0, conversation(key, 1)), "messages can be appended");
      assert(await store.sessions.commit(key, { revision: 0, state: 1 }), "a state can be committed");
      assert((await store.sessions.head(key)).isCompacting, "the lease is still held");
      assert(!(await store.sessions.lease(key, "two", LONG)), "another holder does not get it");
    },
  ],
];
