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
      assert(await sessions.acquire(key, "one", LONG), "the first gets it");
      assert((await sessions.head(key)).isCompacting, "the head tells that somebody holds it");
      assert(!(await sessions.acquire(key, "two", LONG)), "another does not get it");
      assert(await sessions.acquire(key, "one", LONG), "the holder renews it");
      await sessions.release(key, "two");
      assert(!(await sessions.acquire(key, "two", LONG)), "another cannot give it back");
      await sessions.release(key, "one");
      assert(!(await sessions.head(key)).isCompacting, "nobody holds it after it was given back");
      assert(await sessions.acquire(key, "two", LONG), "another gets it then");
    },
  ],
  [
    "of several who want a lease one gets it",
    async (store, key) => {
      const holders = ["a", "b", "c", "d"];
      const results = await Promise.all(holders.map((holder) => store.sessions.acquire(key, holder, LONG)));
      assertSame(results.filter(Boolean).length, 1, "the number of holders");
    },
  ],
  [
    "a lease that was left behind ends by itself",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      assert(await store.sessions.acquire(key, "gone", 30), "the first gets it");
      await eventually(async () => !(await store.sessions.head(key)).isCompacting, "nobody holds it any more");
      assert(await store.sessions.acquire(key, "next", LONG), "the next gets it");
      assert(!(await store.sessions.acquire(key, "gone", LONG)), "who left it does not get it back");
    },
  ],
  [
    "a lease that is renewed lasts as long as was said last",
    async (store, key) => {
      assert(await store.sessions.acquire(key, "one", LONG), "the first gets it");
      assert(await store.sessions.acquire(key, "one", 30), "and cuts it short");
      await eventually(() => store.sessions.acquire(key, "two", LONG), "another gets it");
    },
  ],
  [
    "a lease for no time is nobody's",
    async (store, key) => {
      for (const [i, milliseconds] of [0, -1, Number.NaN].entries()) {
        assert(await store.sessions.acquire(key, `one ${i}`, milliseconds), "it is given");
        assert(!(await store.sessions.head(key)).isCompacting, "and has ended");
      }
      assert(await store.sessions.acquire(key, "two", LONG), "another gets it");
    },
  ],
  [
    "a lease keeps nobody from writing",
    async (store, key) => {
      await store.sessions.acquire(key, "one", LONG);
      assert(await store.messages.append(key, 0, conversation(key, 1)), "messages can be appended");
      assert(await store.sessions.commit(key, { revision: 0, state: 1 }), "a state can be committed");
      assert((await store.sessions.head(key)).isCompacting, "the lease is still held");
      assert(!(await store.sessions.acquire(key, "two", LONG)), "by the same holder");
    },
  ],
];
