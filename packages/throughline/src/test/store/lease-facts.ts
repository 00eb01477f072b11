import { assert, assertSame, eventually } from "../assert.ts";
import { conversation } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

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
