import type { Memory } from "../../ports/memory.ts";
import type { MemoryFilter, UtteranceFilter } from "../../ports/memory-store.ts";
import { assert, assertSame, type MemoryFact } from "../conformance.ts";
import { memory, storedMemory, turn } from "../samples.ts";

export const MEMORY_READ_FACTS: readonly MemoryFact[] = [
  [
    "memories and turns are read in the order of the ids",
    async (store, space) => {
      const ids = ["b", "a", "c"];
      const turns = ids.map((id, i) => turn(id, "s", i));
      await store.commit(space, { revision: 0, memories: ids.map((id) => storedMemory(id)), turns });
      const asked = ["c", "none", "b", "c"];
      assertSame(idsOf(await store.get(space, "memories", asked)), ["c", "b", "c"], "memories");
      assertSame(idsOf(await store.get(space, "turns", asked)), ["c", "b", "c"], "turns");
      assertSame(await store.get(space, "memories", []), [], "no memories");
      assertSame(await store.get(space, "turns", []), [], "no turns");
    },
  ],
  [
    "memories are listed by id, page by page",
    async (store, space) => {
      const ids = ["b", "a", "B", "", "e", "d-1", "c", "d"];
      await store.commit(space, { revision: 0, memories: ids.map((id) => storedMemory(id)) });
      const list = async (page: { after?: string; limit?: number }) => idsOf(await store.list(space, "memories", page));
      assertSame(await list({}), ["", "B", "a", "b", "c", "d", "d-1", "e"], "all");
      assertSame(await list({ limit: Number.POSITIVE_INFINITY, after: "d" }), ["d-1", "e"], "all after an id");
      assertSame(await list({ limit: 4 }), ["", "B", "a", "b"], "the first four");
      assertSame(await list({ after: "", limit: 1 }), ["B"], "after the empty id");
      assertSame(await list({ after: "b", limit: 3 }), ["c", "d", "d-1"], "the next three");
      assertSame(await list({ after: "bb", limit: 1 }), ["c"], "after an unknown id");
      assertSame(await list({ limit: 0 }), [], "none");
    },
  ],
  [
    "memories are listed by their last mention, if asked",
    async (store, space) => {
      const seen = (id: string, lastSeenAt: number, fields: Partial<Memory> = {}) =>
        storedMemory(id, { lastSeenAt, ...fields }, { slot: "user|home" });
      const memories = [seen("a", 5), seen("b", 9), seen("c", 5), seen("d", 7, { archivedAt: 1 }), seen("e", 1)];
      await store.commit(space, { revision: 0, memories });
      const list = async (filter: MemoryFilter) =>
        idsOf(await store.list(space, "memories", { ...filter, lastSeenFirst: true }));
      assertSame(await list({}), ["b", "d", "c", "a", "e"], "all");
      assertSame(await list({ current: true, limit: 3 }), ["b", "c", "a"], "the first three current ones");
      assertSame(await list({ current: true, after: "b" }), ["c", "e"], "those after an id");
      assertSame(await list({ matchAny: { slots: ["user|home"] } }), ["b", "d", "c", "a", "e"], "those of a slot");
      await store.commit(space, { revision: 1, memories: [seen("e", 8)] });
      assertSame(await list({ current: true, limit: 2 }), ["b", "e"], "one that was mentioned again");
    },
  ],
  [
    "a list applies all of its filters together",
    async (store, space) => {
      await store.commit(space, {
        revision: 0,
        memories: [
          storedMemory("1-plain"),
          storedMemory("2-fact", { category: "identity", source: { sessionId: "s" } }, { slot: "user|name" }),
          storedMemory(
            "3-ended",
            { category: "identity", validTo: 5, source: { sessionId: "s" } },
            { slot: "user|name" },
          ),
          storedMemory("4-archived", { category: "project", archivedAt: 0 }),
          storedMemory("5-session", { source: { sessionId: "t" } }, { slot: "user|Name" }),
        ],
      });
      const list = async (filter: MemoryFilter) =>
        idsOf(await store.list(space, "memories", filter)).map((id) => Number(id[0]));
      assertSame(await list({ current: true }), [1, 2, 5], "current memories");
      assertSame(await list({ categorized: true }), [2, 3, 4], "chat facts");
      assertSame(await list({ current: true, categorized: true }), [2], "current chat facts");
      assertSame(await list({ sessionId: "s" }), [2, 3], "memories of a session");
      assertSame(await list({ sessionId: "s", current: true }), [2], "the current ones of them");
      assertSame(await list({ matchAny: { slots: ["user|name"] } }), [2, 3], "memories of a slot");
      assertSame(await list({ matchAny: { slots: ["user|name"] }, current: true }), [2], "the current ones of them");
      assertSame(
        await list({ matchAny: { slots: ["user|name"] }, sessionId: "t" }),
        [],
        "memories of a slot and another session",
      );
      assertSame(await list({ matchAny: { slots: ["user|name"] }, after: "2-fact" }), [3], "the second of a slot");
      assertSame(await list({ current: true, after: "1-plain", limit: 1 }), [2], "a page of current memories");
      assertSame(await list({ current: false, categorized: false }), [1, 2, 3, 4, 5], "all");
    },
  ],
  [
    "memories are matched by any of the slots or fingerprints",
    async (store, space) => {
      await store.commit(space, {
        revision: 0,
        memories: [
          storedMemory("e", {}, { slot: "user|home", fingerprint: "in-rome" }),
          storedMemory("d", {}, { slot: "user|work", fingerprint: "in-rome" }),
          storedMemory("c", {}, { slot: "user|home", fingerprint: "in-oslo" }),
          storedMemory("b", { validTo: 1 }, { slot: "user|home", fingerprint: "in-rome" }),
          storedMemory("a", { archivedAt: 1 }, { slot: "user|home", fingerprint: "in-rome" }),
          storedMemory("f", {}, { fingerprint: "user|home" }),
        ],
      });
      const related = async (slots: string[], fingerprint: string) =>
        idsOf(await store.list(space, "memories", { current: true, matchAny: { slots, fingerprints: [fingerprint] } }));
      assertSame(await related(["user|home"], "in-rome"), ["c", "d", "e"], "memories with the slot or the fingerprint");
      assertSame(await related([], "in-oslo"), ["c"], "memories with the fingerprint");
      assertSame(await related(["user|home", "user|work", "user|home"], ""), ["c", "d", "e"], "memories of two slots");
      assertSame(await related(["in-rome"], "user|work"), [], "a slot does not match a fingerprint");
      await store.commit(space, {
        revision: 1,
        memories: [
          storedMemory("e", { validTo: 9 }, { slot: "user|home" }),
          storedMemory("c", {}, { slot: "user|age" }),
        ],
      });
      const any = async (filter: MemoryFilter) => idsOf(await store.list(space, "memories", filter)).join("");
      const matchAny = { slots: ["user|home", "user|work"], fingerprints: ["in-rome", "in-oslo"] };
      assertSame(await any({ matchAny }), "abde", "all matching memories, not only current ones");
      assertSame(await any({ matchAny, after: "a", limit: 2 }), "bd", "a page of them");
      assertSame(await any({ matchAny, limit: 0 }), "", "none");
      assertSame(await any({ matchAny: { fingerprints: ["in-rome"] } }), "abd", "all memories with a fingerprint");
      assertSame(await any({ matchAny: {} }), "", "memories of no slot and no fingerprint");
      assertSame(await related(["user|home"], "in-oslo"), [], "memories that matched before");
      assertSame(await related(["user|age"], "words of c"), ["c"], "the memory of the new slot");
    },
  ],
  [
    "related memories are found among many slots",
    async (store, space) => {
      const slots = Array.from({ length: 300 }, (_, i) => `slot ${i}`);
      await store.commit(space, {
        revision: 0,
        memories: [storedMemory("a", {}, { slot: "slot 299" }), storedMemory("b")],
      });
      assertSame(
        idsOf(
          await store.list(space, "memories", { current: true, matchAny: { slots, fingerprints: ["words of b"] } }),
        ),
        ["a", "b"],
        "the memories",
      );
    },
  ],
  [
    "a lookup reads heads, memories and turns of several spaces",
    async (store, space) => {
      // Optional.
      if (store.lookUp === undefined) return;
      const [other, unknown] = [`${space}2`, `${space}3`];
      const artifacts = [{ type: "file", ref: "a.ts" } as const];
      const [t, u] = [turn("t", "s", 0), turn("u", "s", 1)];
      await store.commit(space, { revision: 0, memories: [storedMemory("a"), storedMemory("b", { artifacts })] });
      await store.commit(other, { revision: 0, memories: [storedMemory("a")], turns: [t, u] });
      const found = await store.lookUp([
        { space, memories: ["b", "none", "a", "b"] },
        { space: other, head: true, turns: ["u", "none", "t"], memories: ["b"] },
        { space: unknown, head: true, memories: ["a"] },
      ]);
      const [a, b] = [memory("a"), memory("b", { artifacts })];
      assertSame(
        found,
        [
          { head: undefined, memories: [b, a, b], turns: [] },
          { head: { revision: 1, epoch: 0 }, memories: [], turns: [u, t] },
          { head: { revision: 0, epoch: 0 }, memories: [], turns: [] },
        ],
        "the items",
      );
      const many = Array.from({ length: 600 }, (_, i) => turn(`many${i}`, "s", i));
      await store.commit(space, { revision: 1, turns: many });
      const [all] = await store.lookUp([{ space, turns: many.map(({ id }) => id) }]);
      assertSame(all?.turns, many, "many turns");
      assertSame(await store.lookUp([]), [], "no lookups");
    },
  ],
  [
    "a use is counted for each id, also for repeated ones, and changes nothing else",
    async (store, space) => {
      await store.commit(space, {
        revision: 0,
        memories: [storedMemory("a"), storedMemory("b", { archivedAt: 1 }), storedMemory("c")],
      });
      await store.record(space, { uses: { ids: ["b", "a", "none", "c", "a", "a"], use: "retrieved", at: 500 } });
      await store.record(space, { uses: { ids: ["a"], use: "retrieved", at: 400 } });
      await store.record(space, { uses: { ids: ["a"], use: "cited", at: 600 } });
      await store.record(space, { uses: { ids: ["b"], use: "ignored", at: 0 } });
      await store.record(space, { uses: { ids: [], use: "ignored", at: 700 } });
      const used = await store.list(space, "memories");
      const expected = [
        memory("a", { usage: { retrieved: 4, cited: 1, ignored: 0, lastAccessedAt: 600 } }),
        memory("b", { archivedAt: 1, usage: { retrieved: 1, cited: 0, ignored: 1, lastAccessedAt: 500 } }),
        memory("c", { usage: { retrieved: 1, cited: 0, ignored: 0, lastAccessedAt: 500 } }),
      ];
      assertSame(used, expected, "the memories");
      assertSame(await store.head(space), { revision: 1, epoch: 0 }, "the head");
      assert(await store.commit(space, { revision: 1 }), "a commit on the same revision succeeds");
    },
  ],
  [
    "concurrent uses are all counted",
    async (store, space) => {
      const ids = ["a", "b", "c"];
      await store.commit(space, { revision: 0, memories: ids.map((id) => storedMemory(id)) });
      const orders = [ids, ids.toReversed(), ["b", "c", "a"], ["c"]];
      await Promise.all(
        orders.flatMap((some) => [1, 2, 3].map((at) => store.record(space, { uses: { ids: some, use: "cited", at } }))),
      );
      const counts = (await store.list(space, "memories")).map(({ usage }) => [usage.cited, usage.lastAccessedAt]);
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
    "uses that are recorded during a rewrite of the memory are not lost",
    async (store, space) => {
      const counts = { retrieved: 4, cited: 3, ignored: 2, lastAccessedAt: 5 };
      await store.commit(space, { revision: 0, memories: [storedMemory("a", { usage: counts }), storedMemory("b")] });
      const [read = memory("a")] = await store.get(space, "memories", ["a"]);
      assertSame(read.usage, counts, "the counts of a new memory");
      await store.record(space, { uses: { ids: ["a", "b"], use: "cited", at: 9 } });
      const again = { memory: { ...read, mentions: 7 }, fingerprint: "f" };
      await store.commit(space, { revision: 1, memories: [again] });
      const counted = { ...counts, cited: 4, lastAccessedAt: 9 };
      assertSame(await store.get(space, "memories", ["a"]), [{ ...again.memory, usage: counted }], "the memory");
      await Promise.all([
        store.commit(space, { revision: 2, memories: [again, storedMemory("b")] }),
        ...[10, 11, 12].map((at) => store.record(space, { uses: { ids: ["b", "a"], use: "retrieved", at } })),
      ]);
      const cited = await store.list(space, "memories");
      assertSame(cited[0]?.usage, { ...counted, retrieved: 7, lastAccessedAt: 12 }, "the counts of the first");
      assertSame(
        cited[1]?.usage,
        { retrieved: 3, cited: 1, ignored: 0, lastAccessedAt: 12 },
        "the counts of the second",
      );
    },
  ],
  [
    "turns of a session are listed by position",
    async (store, space) => {
      const turns = [4, 0, 2, 1, 3].map((position) => turn(`t${9 - position}`, "s", position));
      await store.commit(space, { revision: 0, turns: [...turns, turn("other", "s2", 0)] });
      await store.commit(space, { revision: 1, turns: [turn("late", "s", 5)] });
      const positions = async (from?: number, limit?: number) =>
        (await store.list(space, "turns", { sessionId: "s", from, limit })).map(({ position }) => position);
      assertSame(await positions(), [0, 1, 2, 3, 4, 5], "all");
      assertSame(await positions(3), [3, 4, 5], "from a position");
      assertSame(await positions(1, 2), [1, 2], "some");
      assertSame(await positions(1.5, 1), [2], "from between two positions");
      assertSame(await positions(9), [], "after the last one");
      assertSame(await positions(0, 0), [], "none");
      assertSame(await store.list(space, "turns", { sessionId: "none" }), [], "turns of another session");
    },
  ],
  [
    "turns are listed newest first or by id, page by page",
    async (store, space) => {
      const turns = [turn("b", "s", 1), turn("c", "s", 1), turn("a", "s", 2), turn("d", "r", 3), turn("e", "r", 0)];
      await store.commit(space, { revision: 0, turns });
      const list = async (filter?: UtteranceFilter) => idsOf(await store.list(space, "turns", filter)).join("");
      assertSame(await list(), "abcde", "all");
      assertSame(await list({ limit: 2 }), "ab", "the first two");
      assertSame(await list({ after: "b", limit: 2 }), "cd", "the next two");
      assertSame(await list({ after: "e" }), "", "after the last one");
      assertSame(await list({ sessionId: "s", newestFirst: true, limit: 1 }), "a", "the last of a session");
      assertSame(await list({ sessionId: "s", newestFirst: true, from: 1, limit: 2 }), "ac", "the last two");
      assertSame(await list({ sessionId: "none", newestFirst: true, limit: 1 }), "", "the last of another session");
    },
  ],
];

function idsOf(items: readonly Pick<Memory, "id">[]): string[] {
  return items.map(({ id }) => id);
}
