import type { SessionKey, Store } from "../../ports/store.ts";
import { assert, assertSame } from "../assert.ts";
import { compaction, conversation, receipt } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

const HOLDER = "holder";
const LONG = 600_000;

export const ISOLATION_FACTS: readonly StoreFact[] = [
  [
    "another user sees nothing of a session and changes nothing in it",
    isolated((key) => ({ ...key, userId: `${key.userId}2` })),
  ],
  [
    "another session of the same user sees nothing of a session and changes nothing in it",
    isolated((key) => ({ ...key, sessionId: `${key.sessionId}2` })),
  ],
  ["ids of users are case-sensitive", isolated((key) => ({ ...key, userId: key.userId.toUpperCase() }))],
  [
    "user and session are not concatenated into one key",
    isolated((key) => ({ userId: key.userId + key.sessionId.slice(0, 1), sessionId: key.sessionId.slice(1) })),
  ],
  [
    "names with wildcards, quotes or NUL are compared literally",
    async (store, key) => {
      await fill(store, key);
      const before = await snapshot(store, key);
      for (const sign of ["%", "_", "*", "' OR '1'='1", '" OR ""="', "\0", "\\"]) {
        for (const stranger of [sign, key.userId + sign, sign + key.userId]) {
          assertSame(await store.sessions.list(stranger), [], `the sessions of ${stranger}`);
          await store.sessions.purge({ ...key, userId: stranger });
        }
        await store.sessions.purge({ ...key, sessionId: sign });
      }
      assertSame(await snapshot(store, key), before, "the session");
    },
  ],
];

/** Fills a session, then checks every method with the key of another one (the stranger). */
function isolated(strangerOf: (key: SessionKey) => SessionKey): StoreFact[1] {
  return async (store, key) => {
    const stranger = strangerOf(key);
    await fill(store, key);
    const before = await snapshot(store, key);
    await seesNothing(store, stranger, key);
    assertSame(await snapshot(store, key), before, "the session after reads by a stranger");
    await writesApart(store, stranger);
    assertSame(await snapshot(store, key), before, "the session after a stranger wrote");
    await store.sessions.purge(stranger);
    assertSame(await snapshot(store, key), before, "the session after a stranger purged");
    assertSame(await store.messages.list(stranger), [], "the messages that the stranger purged");
  };
}

async function fill(store: Store, key: SessionKey): Promise<void> {
  await store.messages.append(key, 0, conversation(key, 4));
  await store.sessions.commit(key, {
    revision: 0,
    state: { secret: 1 },
    compactions: [compaction("c", 1)],
    receipts: [receipt("r")],
    marks: new Map([["m0.0", 1]]),
  });
  await store.sessions.lease(key, HOLDER, LONG);
}

async function snapshot(store: Store, key: SessionKey): Promise<unknown> {
  const ids = { messages: ["m0", "m4", "stranger"], parts: ["m0.0", "m4.0", "stranger.0"] };
  return {
    head: await store.sessions.head(key),
    state: await store.sessions.state(key),
    messages: await store.messages.list(key),
    byId: await store.messages.get(key, ids.messages),
    byPart: await store.messages.list(key, { parts: ["m0.0"] }),
    taken: await store.messages.taken(key, ids),
    marks: await store.messages.marks(key),
    compactions: await store.sessions.compactions(key),
    receipts: await store.sessions.receipts(key),
    listed: (await store.sessions.list(key.userId)).find(({ sessionId }) => sessionId === key.sessionId),
  };
}

async function seesNothing(store: Store, stranger: SessionKey, key: SessionKey): Promise<void> {
  const { messages, sessions } = store;
  const head = await sessions.head(stranger);
  assertSame([head.appended, head.revision, head.compactions, head.receipts], [0, 0, 0, 0], "a stranger's head");
  assert(!head.isCompacting && head.lastCompactionAt === undefined, "a stranger sees no compaction");
  assertSame(await sessions.state(stranger), undefined, "a stranger's state");
  assertSame(await messages.list(stranger), [], "a stranger's messages");
  assertSame(await messages.get(stranger, ["m0", "m1"]), [], "messages by id");
  assertSame(await messages.list(stranger, { parts: ["m0.0"] }), [], "a message by its part");
  const ids = { messages: ["m0"], parts: ["m0.0"] };
  assertSame(await messages.taken(stranger, ids), { messages: [], parts: [] }, "taken ids");
  assertSame(await messages.marks(stranger), new Map(), "marks");
  assertSame(await sessions.compactions(stranger), [], "compactions");
  assertSame(await sessions.compactions(stranger, ["c"]), [], "compactions by id");
  assertSame(await sessions.receipts(stranger), [], "receipts");
  const listed = (await sessions.list(stranger.userId)).map(({ sessionId }) => sessionId);
  assertSame(listed, stranger.userId === key.userId ? [key.sessionId] : [], "a stranger's sessions");
}

/** Checks that a stranger can use the same ids, and has its own counts and lease. */
async function writesApart(store: Store, stranger: SessionKey): Promise<void> {
  const { messages, sessions } = store;
  assertSame(
    await messages.append(stranger, 4, conversation(stranger, 1, 4)),
    false,
    "an append at the end of the other session",
  );
  assertSame(
    await sessions.commit(stranger, { revision: 1, state: "theirs" }),
    false,
    "a commit on the revision of the other session",
  );
  assert(await messages.append(stranger, 0, conversation(stranger, 2)), "a stranger appends the same ids");
  assertSame(await messages.list(stranger), conversation(stranger, 2), "the messages that the stranger appended");
  const theirs = {
    state: "theirs",
    compactions: [compaction("c", 7)],
    receipts: [receipt("r", "theirs")],
    marks: new Map([
      ["m1.0", 2],
      ["m3.0", 2],
    ]),
  };
  assert(await sessions.commit(stranger, { revision: 0, ...theirs }), "a stranger commits the same ids");
  assertSame(await sessions.state(stranger), "theirs", "a stranger's state");
  assertSame(await messages.marks(stranger), new Map([["m1.0", 2]]), "a stranger's marks");
  assert(await sessions.lease(stranger, "stranger", LONG), "a stranger gets a lease");
  await sessions.lease(stranger, HOLDER, 0);
  await sessions.lease(stranger, "stranger", 0);
}
