import { assertSame } from "../assert.ts";
import { compaction, conversation, receipt, said, withParts } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

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
