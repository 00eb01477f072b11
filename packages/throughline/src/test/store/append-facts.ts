import type { SessionKey, Store } from "../../ports/store.ts";
import { assert, assertRefused, assertSame } from "../assert.ts";
import { conversation, said, withParts } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

export const APPEND_FACTS: readonly StoreFact[] = [
  [
    "a session that was never written to is empty",
    async (store, key) => {
      assertSame(await store.messages.list(key), [], "its messages");
      assertSame((await store.sessions.head(key)).appended, 0, "its count");
      assertSame(await store.sessions.list(key.userId), [], "the sessions of its user");
    },
  ],
  [
    "messages keep the order of appending",
    async (store, key) => {
      const messages = conversation(key, 7);
      assertSame(await store.messages.append(key, 0, messages.slice(0, 3)), true, "the first append");
      assertSame(await store.messages.append(key, 3, messages.slice(3)), true, "the second append");
      assertSame(await store.messages.list(key), messages, "the messages");
      assertSame((await store.sessions.head(key)).appended, 7, "the count");
    },
  ],
  [
    "many messages of many parts can be appended at once",
    async (store, key) => {
      const messages = Array.from({ length: 700 }, (_, i) =>
        withParts(
          key,
          `m${i}`,
          Array.from({ length: i % 4 }, (_, p) => ({ id: `m${i}.${p}`, type: "text", text: `${i} ${p}` })),
        ),
      );
      assert(await store.messages.append(key, 0, messages), "they are appended");
      assertSame(await store.messages.list(key), messages, "the messages");
    },
  ],
  [
    "an append at a wrong position writes nothing",
    async (store, key) => {
      const messages = conversation(key, 3);
      for (const at of [1, -1, 0.5, Number.NaN]) {
        assertSame(await store.messages.append(key, at, messages), false, `an append at ${at} of an empty session`);
      }
      assertSame(await store.sessions.list(key.userId), [], "the sessions of the user");
      await store.messages.append(key, 0, messages);
      for (const at of [0, 2, 4, -1, 2.5, Number.NaN]) {
        assertSame(await store.messages.append(key, at, [said(key, "late")]), false, `an append at ${at} of 3`);
      }
      await assertHolds(store, key, 3);
    },
  ],
  [
    "an empty append checks the position and writes nothing",
    async (store, key) => {
      assertSame(await store.messages.append(key, 0, []), true, "at the end of an empty session");
      assertSame(await store.messages.append(key, 1, []), false, "after the end of an empty session");
      assertSame(await store.sessions.list(key.userId), [], "the sessions of the user");
      await store.messages.append(key, 0, conversation(key, 2));
      assertSame(await store.messages.append(key, 2, []), true, "at the end");
      assertSame(await store.messages.append(key, 1, []), false, "at a wrong position");
      await assertHolds(store, key, 2);
    },
  ],
  [
    "one of several concurrent appends at one position succeeds",
    async (store, key) => {
      for (const at of [0, 1, 2]) {
        const rivals = ["a", "b", "c", "d"].map((name) => said(key, `${name}${at}`));
        const results = await Promise.all(rivals.map((message) => store.messages.append(key, at, [message])));
        const winners = rivals.filter((_, i) => results[i]);
        assertSame(winners.length, 1, "the number of appends that were written");
        assertSame(await store.messages.list(key, { from: at }), winners, "the message at that position");
      }
    },
  ],
  [
    "an append with a duplicate message id is refused as a whole",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 2));
      const fresh = said(key, "fresh");
      const sameId = { ...said(key, "m1"), parts: [] };
      await assertRefused(store.messages.append(key, 2, [fresh, sameId]), "duplicate-id", "an id of the session");
      const twice = [fresh, { ...fresh, parts: [] }];
      await assertRefused(store.messages.append(key, 2, twice), "duplicate-id", "a repeated id");
      await assertHolds(store, key, 2);
      assert(await store.messages.append(key, 2, [fresh]), "a message of the refused append can be appended alone");
    },
  ],
  [
    "an append with a duplicate part id is refused as a whole",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 2));
      const samePart = withParts(key, "fresh", [{ id: "m0.0", type: "step-start" }]);
      await assertRefused(
        store.messages.append(key, 2, [said(key, "x"), samePart]),
        "duplicate-id",
        "an id of the session",
      );
      const part = { id: "twice", type: "step-start" } as const;
      const twice = [withParts(key, "y", [part]), withParts(key, "z", [part])];
      await assertRefused(store.messages.append(key, 2, twice), "duplicate-id", "a repeated id");
      await assertHolds(store, key, 2);
    },
  ],
  [
    "the position of an append is checked before its ids",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 2));
      assertSame(await store.messages.append(key, 0, conversation(key, 2)), false, "the same append again");
    },
  ],
];

/** Checks that the session has the first `count` messages of `conversation`, and no ids of refused ones. */
async function assertHolds(store: Store, key: SessionKey, count: number): Promise<void> {
  assertSame(await store.messages.list(key), conversation(key, count), "the messages");
  assertSame((await store.sessions.head(key)).appended, count, "the count");
  const others = { messages: ["late", "fresh", "x", "y", "z"], parts: ["late.0", "fresh.0", "x.0", "twice"] };
  assertSame(await store.messages.taken(key, others), { messages: [], parts: [] }, "ids of refused messages");
}
