import type { Memory } from "../../../ports/memory.ts";
import { assert, assertSame } from "../../assert.ts";
import { memory, shelved, turn } from "../../memory-samples.ts";
import type { MemoryFact } from "../../store-check.ts";

export const MEMORY_READ_FACTS: readonly MemoryFact[] = [
  [
    "memories and turns by id come in the order that was asked for",
    async (shelf, space) => {
      const ids = ["b", "a", "c"];
      const turns = ids.map((id, i) => turn(id, "s", i));
      await shelf.commit(space, { revision: 0, memories: ids.map((id) => shelved(id)), turns });
      const asked = ["c", "none", "b", "c"];
      assertSame(idsOf(await shelf.memories(space, asked)), ["c", "b", "c"], "memories");
      assertSame(idsOf(await shelf.turns(space, asked)), ["c", "b", "c"], "turns");
      assertSame(await shelf.memories(space, []), [], "no memories");
      assertSame(await shelf.turns(space, []), [], "no turns");
    },
  ],
  [
    "memories are listed by id, page by page",
    async (shelf, space) => {
      const ids = ["b", "a", "B", "", "e", "d-1", "c", "d"];
      await shelf.commit(space, { revision: 0, memories: ids.map((id) => shelved(id)) });
      const list = async (page: { after?: string; limit?: number }) => idsOf(await shelf.list(space, page));
      assertSame(await list({}), ["", "B", "a", "b", "c", "d", "d-1", "e"], "all");
      assertSame(await list({ limit: Number.POSITIVE_INFINITY, after: "d" }), ["d-1", "e"], "all behind one");
      assertSame(await list({ limit: 4 }), ["", "B", "a", "b"], "the first four");
      assertSame(await list({ after: "", limit: 1 }), ["B"], "behind the one without a name");
      assertSame(await list({ after: "b", limit: 3 }), ["c", "d", "d-1"], "the next three");
      assertSame(await list({ after: "bb", limit: 1 }), ["c"], "behind an id that is not there");
      assertSame(await list({ limit: 0 }), [], "none");
    },
  ],
  [
    "a list has what was asked for, of all that is asked for at once",
    async (shelf, space) => {
      await shelf.commit(space, {
        revision: 0,
        memories: [
          shelved("1-plain"),
          shelved("2-fact", { category: "identity", source: { sessionId: "s" } }, { slot: "user|name" }),
          shelved("3-ended", { category: "identity", validTo: 5, source: { sessionId: "s" } }, { slot: "user|name" }),
          shelved("4-archived", { category: "project", archivedAt: 0 }),
          shelved("5-session", { source: { sessionId: "t" } }, { slot: "user|Name" }),
        ],
      });
      const list = async (filter: Parameters<typeof shelf.list>[1]) =>
        idsOf(await shelf.list(space, filter)).map((id) => Number(id[0]));
      assertSame(await list({ current: true }), [1, 2, 5], "those that hold");
      assertSame(await list({ categorised: true }), [2, 3, 4], "facts of the chat");
      assertSame(await list({ current: true, categorised: true }), [2], "facts that hold");
      assertSame(await list({ sessionId: "s" }), [2, 3], "those of a session");
      assertSame(await list({ sessionId: "s", current: true }), [2], "those of it that hold");
      assertSame(await list({ slot: "user|name" }), [2, 3], "those of a slot");
      assertSame(await list({ slot: "user|name", current: true }), [2], "those of it that hold");
      assertSame(await list({ slot: "user|name", sessionId: "t" }), [], "those of a slot and another session");
      assertSame(await list({ slot: "user|name", after: "2-fact" }), [3], "the second of a slot");
      assertSame(await list({ current: true, after: "1-plain", limit: 1 }), [2], "a page of those that hold");
      assertSame(await list({ current: false, categorised: false }), [1, 2, 3, 4, 5], "all");
    },
  ],
  [
    "related are those that hold, of one of the slots or with the fingerprint",
    async (shelf, space) => {
      await shelf.commit(space, {
        revision: 0,
        memories: [
          shelved("e", {}, { slot: "user|home", fingerprint: "in-rome" }),
          shelved("d", {}, { slot: "user|work", fingerprint: "in-rome" }),
          shelved("c", {}, { slot: "user|home", fingerprint: "in-oslo" }),
          shelved("b", { validTo: 1 }, { slot: "user|home", fingerprint: "in-rome" }),
          shelved("a", { archivedAt: 1 }, { slot: "user|home", fingerprint: "in-rome" }),
          shelved("f", {}, { fingerprint: "user|home" }),
        ],
      });
      const related = async (slots: string[], fingerprint: string) =>
        idsOf(await shelf.related(space, slots, fingerprint));
      assertSame(await related(["user|home"], "in-rome"), ["c", "d", "e"], "those of the slot and those alike");
      assertSame(await related([], "in-oslo"), ["c"], "those alike");
      assertSame(await related(["user|home", "user|work", "user|home"], ""), ["c", "d", "e"], "those of two slots");
      assertSame(await related(["in-rome"], "user|work"), [], "a slot is no fingerprint");
      await shelf.commit(space, {
        revision: 1,
        memories: [shelved("e", { validTo: 9 }, { slot: "user|home" }), shelved("c", {}, { slot: "user|age" })],
      });
      assertSame(await related(["user|home"], "in-oslo"), [], "those that were related before");
      assertSame(await related(["user|age"], "words of c"), ["c"], "that of the new slot");
    },
  ],
  [
    "related memories are found among many slots",
    async (shelf, space) => {
      const slots = Array.from({ length: 300 }, (_, i) => `slot ${i}`);
      await shelf.commit(space, { revision: 0, memories: [shelved("a", {}, { slot: "slot 299" }), shelved("b")] });
      assertSame(idsOf(await shelf.related(space, slots, "words of b")), ["a", "b"], "the memories");
    },
  ],
  [
    "a use is counted, once for each memory, and changes nothing else",
    async (shelf, space) => {
      await shelf.commit(space, {
        revision: 0,
        memories: [shelved("a"), shelved("b", { archivedAt: 1 }), shelved("c")],
      });
      await shelf.countUse(space, ["a", "b", "none", "a"], "retrieved", 500);
      await shelf.countUse(space, ["a"], "retrieved", 400);
      await shelf.countUse(space, ["a"], "cited", 600);
      await shelf.countUse(space, ["b"], "ignored", 0);
      await shelf.countUse(space, [], "ignored", 700);
      const used = await shelf.list(space);
      const expected = [
        memory("a", { usage: { retrieved: 2, cited: 1, ignored: 0, lastAccessedAt: 600 } }),
        memory("b", { archivedAt: 1, usage: { retrieved: 1, cited: 0, ignored: 1, lastAccessedAt: 500 } }),
        memory("c"),
      ];
      assertSame(used, expected, "the memories");
      assertSame(await shelf.head(space), { revision: 1, epoch: 0 }, "the head");
      assert(await shelf.commit(space, { revision: 1 }), "nobody has to begin anew");
    },
  ],
  [
    "uses that are counted at once are all counted",
    async (shelf, space) => {
      const ids = ["a", "b", "c"];
      await shelf.commit(space, { revision: 0, memories: ids.map((id) => shelved(id)) });
      const orders = [ids, ids.toReversed(), ["b", "c", "a"], ["c"]];
      await Promise.all(orders.flatMap((some) => [1, 2, 3].map((at) => shelf.countUse(space, some, "cited", at))));
      const counts = (await shelf.list(space)).map(({ usage }) => [usage.cited, usage.lastAccessedAt]);
      assertSame(
        counts,
        [
          [9, 3],
          [9, 3],
          [12, 3],
        ],
        "the counts",
      );
    },
  ],
  [
    "uses that are counted while a memory is written again are not lost",
    async (shelf, space) => {
      const counts = { retrieved: 4, cited: 3, ignored: 2, lastAccessedAt: 5 };
      await shelf.commit(space, { revision: 0, memories: [shelved("a", { usage: counts }), shelved("b")] });
      const [read = memory("a")] = await shelf.memories(space, ["a"]);
      assertSame(read.usage, counts, "the counts that a new one comes with");
      await shelf.countUse(space, ["a", "b"], "cited", 9);
      const again = { memory: { ...read, mentions: 7 }, fingerprint: "f" };
      await shelf.commit(space, { revision: 1, memories: [again] });
      const counted = { ...counts, cited: 4, lastAccessedAt: 9 };
      assertSame(await shelf.memories(space, ["a"]), [{ ...again.memory, usage: counted }], "the memory");
      await Promise.all([
        shelf.commit(space, { revision: 2, memories: [again, shelved("b")] }),
        ...[10, 11, 12].map((at) => shelf.countUse(space, ["b", "a"], "retrieved", at)),
      ]);
      const cited = await shelf.list(space);
      assertSame(cited[0]?.usage, { ...counted, retrieved: 7, lastAccessedAt: 12 }, "the counts of the first");
      assertSame(cited[1]?.usage, { retrieved: 3, cited: 1, ignored: 0, lastAccessedAt: 12 }, "those of the second");
    },
  ],
  [
    "a session's turns come by position",
    async (shelf, space) => {
      const turns = [4, 0, 2, 1, 3].map((position) => turn(`t${9 - position}`, "s", position));
      await shelf.commit(space, { revision: 0, turns: [...turns, turn("other", "s2", 0)] });
      await shelf.commit(space, { revision: 1, turns: [turn("late", "s", 5)] });
      const positions = async (from?: number, limit?: number) =>
        (await shelf.turnsOf(space, "s", from, limit)).map(({ position }) => position);
      assertSame(await positions(), [0, 1, 2, 3, 4, 5], "all");
      assertSame(await positions(3), [3, 4, 5], "from one on");
      assertSame(await positions(1, 2), [1, 2], "some");
      assertSame(await positions(1.5, 1), [2], "from between two on");
      assertSame(await positions(9), [], "behind the last");
      assertSame(await positions(0, 0), [], "none");
      assertSame(await shelf.countTurns(space, "s"), 6, "how many there are");
      assertSame(await shelf.countTurns(space, "none"), 0, "how many there are of none");
    },
  ],
];

function idsOf(items: readonly Pick<Memory, "id">[]): string[] {
  return items.map(({ id }) => id);
}
