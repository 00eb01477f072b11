import { assert, assertSame, eventually } from "../assert.ts";
import { compaction, conversation, receipt } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

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
