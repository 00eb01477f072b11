import type { SessionKey, Store } from "../../ports/store.ts";
import { assert, assertRefused, assertSame, eventually, type StoreFact } from "../conformance.ts";
import { compaction, conversation, receipt, said, withParts } from "../samples.ts";

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

export const READ_FACTS: readonly StoreFact[] = [
  [
    "messages are read by position",
    async (store, key) => {
      const messages = conversation(key, 10);
      await store.messages.append(key, 0, messages);
      const cases: [from: number, limit: number | undefined][] = [
        [0, undefined],
        [4, undefined],
        [4, 3],
        [8, 5],
        [9, 1],
        [10, undefined],
        [12, 4],
        [3, 0],
      ];
      for (const [from, limit] of cases) {
        const expected = messages.slice(from, limit === undefined ? undefined : from + limit);
        assertSame(await store.messages.list(key, { from, limit }), expected, `from ${from}, at most ${limit}`);
      }
    },
  ],
  [
    "messages are found by their ids, each once, in their own order",
    async (store, key) => {
      const messages = conversation(key, 600);
      await store.messages.append(key, 0, messages);
      assertSame(await store.messages.get(key, []), [], "no ids");
      assertSame(await store.messages.get(key, ["m9", "none", "m2", "m9"]), [messages[2], messages[9]], "a few");
      const backwards = messages.map(({ id }) => id).reverse();
      assertSame(await store.messages.get(key, backwards), messages, "all of them");
    },
  ],
  [
    "messages are found by their parts, each once, in their own order",
    async (store, key) => {
      const messages = [said(key, "a"), withParts(key, "b", [part("b.0"), part("b.1")]), said(key, "c")];
      await store.messages.append(key, 0, messages);
      const having = (...parts: string[]) => store.messages.list(key, { parts });
      assertSame(await having("b.1"), [messages[1]], "the message of b.1");
      assertSame(
        await having("c.0", "b.1", "none", "b.0", "c.0"),
        [messages[1], messages[2]],
        "the messages of several parts",
      );
      assertSame(await having("b"), [], "a message's id");
      assertSame(await having("none"), [], "an unknown id");
      assertSame(await having(), [], "no ids");
    },
  ],
  [
    "existing ids are distinguished from free ones",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 3));
      const asked = { messages: ["m0", "m0.0", "new", "m2"], parts: ["m1.0", "m1", "new.0"] };
      assertSame(await store.messages.taken(key, asked), { messages: ["m0", "m2"], parts: ["m1.0"] }, "taken ids");
      const none = { messages: [], parts: [] };
      assertSame(await store.messages.taken(key, none), none, "the existing ones of no ids");
    },
  ],
  [
    "marks are stored without changing the messages",
    async (store, key) => {
      const messages = conversation(key, 4);
      await store.messages.append(key, 0, messages);
      assertSame(await store.messages.marks(key), new Map(), "marks at first");
      const first = new Map([
        ["m0.0", 5],
        ["m1.0", 5],
        ["m2.0", 7],
        ["none", 5],
      ]);
      await store.sessions.commit(key, { revision: 0, marks: first });
      await store.sessions.commit(key, { revision: 1, marks: new Map([["m1.0", 9]]) });
      const expected = new Map([
        ["m0.0", 5],
        ["m1.0", 9],
        ["m2.0", 7],
      ]);
      assertSame(await store.messages.marks(key), expected, "the marks of existing parts");
      assertSame(await store.messages.list(key), messages, "the messages");
    },
  ],
  [
    "values that were read do not change with later writes",
    async (store, key) => {
      const write = async (n: number) => {
        await store.messages.append(key, n, conversation(key, 1, n));
        const marks = new Map([[`m${n}.0`, n]]);
        await store.sessions.commit(key, {
          revision: n,
          compactions: [compaction(`c${n}`, n)],
          receipts: [receipt(`r${n}`)],
          marks,
        });
      };
      const read = async () => ({
        messages: await store.messages.list(key),
        marks: await store.messages.marks(key),
        compactions: await store.sessions.compactions(key),
        receipts: await store.sessions.receipts(key),
        sessions: (await store.sessions.list(key.userId)).map(({ sessionId, appended }) => ({ sessionId, appended })),
      });
      await write(0);
      const before = await read();
      await write(1);
      assertSame(before.messages, conversation(key, 1), "messages");
      assertSame(before.marks, new Map([["m0.0", 0]]), "marks");
      assertSame(before.compactions, [compaction("c0", 0)], "compactions");
      assertSame(before.receipts, [receipt("r0")], "receipts");
      assertSame(before.sessions, [{ sessionId: key.sessionId, appended: 1 }], "sessions");
    },
  ],
];

function part(id: string) {
  return { id, type: "text", text: id } as const;
}

export const LIST_FACTS: readonly StoreFact[] = [
  [
    "a user's sessions are listed by id, page by page",
    async (store, key) => {
      const names = ["b", "a", "B", "", "e", "d-1", "c", "d"];
      for (const sessionId of names) {
        await store.messages.append({ ...key, sessionId }, 0, conversation(key, 1));
      }
      const list = async (page?: { after?: string; limit?: number }) =>
        (await store.sessions.list(key.userId, page)).map(({ sessionId }) => sessionId);
      assertSame(await list(), ["", "B", "a", "b", "c", "d", "d-1", "e"], "all");
      assertSame(await list({ limit: Number.POSITIVE_INFINITY, after: "d" }), ["d-1", "e"], "all after an id");
      assertSame(await list({ limit: 4 }), ["", "B", "a", "b"], "the first four");
      assertSame(await list({ after: "", limit: 1 }), ["B"], "after the empty id");
      assertSame(await list({ after: "b", limit: 3 }), ["c", "d", "d-1"], "the next three");
      assertSame(await list({ after: "d-1", limit: 3 }), ["e"], "the rest");
      assertSame(await list({ after: "bb", limit: 1 }), ["c"], "after an unknown id");
      assertSame(await list({ limit: 0 }), [], "none");
    },
  ],
  [
    "a listed session has the fields of its head, and its times",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 2));
      await store.sessions.commit(key, { revision: 0, compactions: [compaction("c", 1)], receipts: [receipt("r")] });
      await store.sessions.lease(key, "one", 600_000);
      const [session] = await store.sessions.list(key.userId);
      assert(session !== undefined, "the session is there");
      if (session === undefined) return;
      const { sessionId, createdAt, updatedAt, ...head } = session;
      assertSame(sessionId, key.sessionId, "its id");
      assertSame(head, await store.sessions.head(key), "its head");
      assert(createdAt > 1_600_000_000_000 && updatedAt >= createdAt, "its times are plausible and in order");
    },
  ],
  [
    "a listed session has the time of its last write",
    async (store, key) => {
      const times = async () => {
        const [session] = await store.sessions.list(key.userId);
        return { createdAt: session?.createdAt ?? 0, updatedAt: session?.updatedAt ?? 0 };
      };
      await store.messages.append(key, 0, conversation(key, 1));
      const append = async (n: number) => store.messages.append(key, n, conversation(key, 1, n));
      const commit = async (n: number) => store.sessions.commit(key, { revision: n - 1 });
      for (const write of [append, commit]) {
        const before = await times();
        let count = 0;
        await eventually(async () => {
          count += 1;
          return (await write(count)) && (await times()).updatedAt > before.updatedAt;
        }, "a write is later than the one before");
        assertSame((await times()).createdAt, before.createdAt, "the time of creation");
      }
    },
  ],
  [
    "a purge deletes everything of a session",
    async (store, key) => {
      await store.sessions.purge(key);
      const kept = { ...key, sessionId: `${key.sessionId}-kept` };
      for (const one of [key, kept]) {
        await store.messages.append(one, 0, conversation(one, 3));
        const marks = new Map([["m0.0", 1]]);
        const written = { state: "s", compactions: [compaction("c", 1)], receipts: [receipt("r")], marks };
        await store.sessions.commit(one, { revision: 0, ...written });
        await store.sessions.lease(one, "holder", 600_000);
      }
      await store.sessions.purge(key);
      assertSame((await store.sessions.list(key.userId)).length, 1, "the sessions that are left");
      const head = await store.sessions.head(key);
      assertSame([head.appended, head.revision, head.compactions, head.receipts], [0, 0, 0, 0], "the head");
      assertSame(head.lastCompactionAt, undefined, "the last compaction");
      assert(!head.isCompacting, "the lease is gone");
      assertSame(await store.sessions.state(key), undefined, "the state");
      assertSame(await store.messages.list(key), [], "the messages");
      assertSame(await store.messages.get(key, ["m0"]), [], "a message by id");
      assertSame((await store.messages.list(key, { parts: ["m0.0"] }))[0], undefined, "a message by a part");
      assertSame(await store.messages.marks(key), new Map(), "the marks");
      assertSame(await store.sessions.compactions(key), [], "the compactions");
      assertSame(await store.sessions.receipts(key), [], "the receipts");
      assert(await store.messages.append(key, 0, conversation(key, 3)), "the ids are free again");
      assertSame(await store.messages.list(kept), conversation(kept, 3), "the messages of the other session");
      assertSame(await store.sessions.state(kept), "s", "the state of the other session");
    },
  ],
];
