import { assert, assertSame, eventually } from "../assert.ts";
import { conversation } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

const LONG = 600_000;

export const LEASE_FACTS: readonly StoreFact[] = [
  [
    "a lease has one holder, who can renew it and give it back",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      const { sessions } = store;
      assert(!(await sessions.head(key)).isCompacting, "nobody holds it at first");
      assert(await sessions.lease(key, "one", LONG), "the first gets it");
      assert((await sessions.head(key)).isCompacting, "the head tells that somebody holds it");
      assert(!(await sessions.lease(key, "two", LONG)), "another does not get it");
      assert(await sessions.lease(key, "one", LONG), "the holder renews it");
      await sessions.lease(key, "two", 0);
      assert(!(await sessions.lease(key, "two", LONG)), "another cannot give it back");
      await sessions.lease(key, "one", 0);
      assert(!(await sessions.head(key)).isCompacting, "nobody holds it after it was given back");
      assert(await sessions.lease(key, "two", LONG), "another gets it then");
    },
  ],
  [
    "of several who want a lease one gets it",
    async (store, key) => {
      const holders = ["a", "b", "c", "d"];
      const results = await Promise.all(holders.map((holder) => store.sessions.lease(key, holder, LONG)));
      assertSame(results.filter(Boolean).length, 1, "the number of holders");
    },
  ],
  [
    "a lease that was left behind ends by itself",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      assert(await store.sessions.lease(key, "gone", 30), "the first gets it");
      await eventually(async () => !(await store.sessions.head(key)).isCompacting, "nobody holds it any more");
      assert(await store.sessions.lease(key, "next", LONG), "the next gets it");
      assert(!(await store.sessions.lease(key, "gone", LONG)), "who left it does not get it back");
    },
  ],
  [
    "a lease that is renewed lasts as long as was said last",
    async (store, key) => {
      assert(await store.sessions.lease(key, "one", LONG), "the first gets it");
      assert(await store.sessions.lease(key, "one", 30), "and cuts it short");
      await eventually(() => store.sessions.lease(key, "two", LONG), "another gets it");
    },
  ],
  [
    "a lease for no time is given back, whoever asks gets none, and no session is created",
    async (store, key) => {
      const { sessions } = store;
      for (const milliseconds of [0, -1, Number.NaN]) {
        assert(!(await sessions.lease(key, "one", milliseconds)), "nobody gets it");
        assertSame(await sessions.list(key.owner), [], "the sessions");
      }
      for (const milliseconds of [0, -1, Number.NaN]) {
        assert(await sessions.lease(key, "one", LONG), "the first gets it");
        assert(!(await sessions.lease(key, "two", milliseconds)), "another asks for no time");
        assert((await sessions.head(key)).isCompacting, "the first still has it");
        assert(!(await sessions.lease(key, "one", milliseconds)), "the first gives it back");
        assert(!(await sessions.head(key)).isCompacting, "nobody has it");
      }
      assert(await sessions.lease(key, "two", LONG), "another gets it");
    },
  ],
  [
    "a lease keeps nobody from writing",
    async (store, key) => {
      await store.sessions.lease(key, "one", LONG);
      assert(await store.messages.append(key, 0, conversation(key, 1)), "messages can be appended");
      assert(await store.sessions.commit(key, { revision: 0, state: 1 }), "a state can be committed");
      assert((await store.sessions.head(key)).isCompacting, "the lease is still held");
      assert(!(await store.sessions.lease(key, "two", LONG)), "by the same holder");
    },
  ],
];
