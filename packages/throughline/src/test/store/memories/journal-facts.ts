import type { ContradictionFilter } from "../../../ports/memory-store.ts";
import { assert, assertSame, eventually } from "../../assert.ts";
import { change, contradiction, fullTurn, journalEntry, memory, turnChange } from "../../memory-samples.ts";
import type { MemoryFact } from "../../store-check.ts";

const LONG = 600_000;

export const MEMORY_JOURNAL_FACTS: readonly MemoryFact[] = [
  [
    "journal entries are listed newest first, or read in the order of the ids",
    async (store, space) => {
      const entries = ["e", "a", "d", "c", "b"].map((id, at) => ({ ...journalEntry(id, [change(id)]), at: at % 2 }));
      await store.commit(space, { revision: 0, journal: entries.slice(0, 2) });
      await store.commit(space, { revision: 1, journal: [] });
      await store.commit(space, { revision: 2, journal: entries.slice(2) });
      const newest = entries.toReversed();
      assertSame(await store.list(space, "journal", { limit: 9 }), newest, "all");
      assertSame(
        await store.list(space, "journal", { limit: Number.POSITIVE_INFINITY }),
        newest,
        "all, without a limit",
      );
      assertSame(await store.list(space, "journal", { limit: 2 }), newest.slice(0, 2), "the last two");
      assertSame(await store.list(space, "journal", { limit: 0 }), [], "none");
      assertSame(
        await store.get(space, "journal", ["e", "none", "b", "e"]),
        [entries[0], entries[4], entries[0]],
        "two of them",
      );
      assertSame(await store.get(space, "journal", []), [], "items of no ids");
    },
  ],
  [
    "journal entries can be listed by an item that they changed",
    async (store, space) => {
      const entries = [
        journalEntry("j1", [change("a")]),
        journalEntry("j2", [change("b"), change("a")]),
        journalEntry("j3", [change("b", { ...memory("b"), supersedes: "a" })]),
      ];
      await store.commit(space, { revision: 0, journal: entries });
      const ids = async (of: string, limit?: number) =>
        (await store.list(space, "journal", { of, ...(limit !== undefined && { limit }) })).map(({ id }) => id);
      assertSame(await ids("a"), ["j2", "j1"], "those of a");
      assertSame(await ids("b"), ["j3", "j2"], "those of b");
      assertSame(await ids("a", 1), ["j2"], "the last of a");
      assertSame(await ids("none"), [], "those of an unknown id");
      const [found] = await store.list(space, "journal", { of: "a", limit: 1 });
      assertSame(found, entries[1], "an entry with all of its changes");
    },
  ],
  [
    "the changes of a journal entry keep their order",
    async (store, space) => {
      const changes = [
        change("z", memory("z")),
        { kind: "contradiction", id: "a", before: contradiction("a", "z", "b"), after: "x" } as const,
        turnChange(fullTurn("a", "text")),
        change("a"),
        change("z"),
      ];
      await store.commit(space, { revision: 0, journal: [journalEntry("j", changes), journalEntry("empty")] });
      assertSame(await store.get(space, "journal", ["j"]), [journalEntry("j", changes)], "the entry");
      assertSame(await store.get(space, "journal", ["empty"]), [journalEntry("empty")], "the entry without changes");
    },
  ],
  [
    "contradictions are listed in the order of detection, with filters",
    async (store, space) => {
      const resolved = { status: "resolved", resolvedAt: 9, resolution: "a_wins" } as const;
      const all = [
        contradiction("d", "m1", "m2", { detectedAt: 1 }),
        contradiction("a", "m2", "m3", { detectedAt: 2, ...resolved }),
        contradiction("b", "m4", "m1", { detectedAt: 2 }),
        contradiction("c", "m5", "m5", { detectedAt: 3 }),
      ];
      await store.commit(space, { revision: 0, contradictions: all.toReversed() });
      const ids = async (filter?: ContradictionFilter) =>
        (await store.list(space, "contradictions", filter)).map(({ id }) => id).join("");
      assertSame(await store.list(space, "contradictions"), all, "all");
      assertSame(await ids({ status: "open" }), "dbc", "open ones");
      assertSame(await ids({ status: "resolved" }), "a", "resolved ones");
      const found = await store.get(space, "contradictions", ["c", "none", "d", "c"]);
      assertSame(found.map(({ id }) => id).join(""), "cdc", "contradictions by id, in the order of the ids");
      assertSame(await store.get(space, "contradictions", []), [], "items of no ids");
      assertSame(await ids({ of: ["m1"] }), "db", "contradictions of a memory");
      assertSame(await ids({ of: ["m1", "m2"] }), "dab", "contradictions of two memories, each once");
      assertSame(await ids({ of: ["m2", "m5"], status: "open" }), "dc", "open ones of two memories");
      assertSame(await ids({ of: [] }), "", "contradictions of no memories");
    },
  ],
  [
    "the last judgement of a key is stored",
    async (store, space) => {
      const get = (...keys: string[]) => store.get(space, "judgements", keys);
      assertSame(await get("a b"), [], "at first");
      const long = "x".repeat(5000);
      await store.record(space, {
        judgements: [
          { key: "a b", memoryIds: ["a", "b", "a"], contradicts: true },
          { key: "a c", memoryIds: [], contradicts: false },
        ],
      });
      await store.record(space, { judgements: [{ key: long, memoryIds: ["a"], contradicts: true }] });
      const [first, second] = [
        { key: "a b", contradicts: true },
        { key: "a c", contradicts: false },
      ];
      const asked = ["a c", "A b", `${long}x`, "a b", long, "a c"];
      assertSame(
        await get(...asked),
        [second, first, { key: long, contradicts: true }, second],
        "existing judgements, in the order of the keys",
      );
      await store.record(space, { judgements: [{ key: "a b", memoryIds: ["b"], contradicts: false }] });
      assertSame(await get("a b"), [{ ...first, contradicts: false }], "the first after a new judgement");
      await store.record(space, {});
      assertSame(await store.head(space), { revision: 0, epoch: 0 }, "the head");
    },
  ],
  [
    "a lease on work has one holder, and only that can renew or release it",
    async (store, space) => {
      assert(await store.lease(space, "work", "one", LONG), "the first gets it");
      assert(!(await store.lease(space, "work", "two", LONG)), "another does not get it");
      assert(await store.lease(space, "other work", "two", LONG), "another holder gets the lease on other work");
      assert(await store.lease(`${space}2`, "work", "two", LONG), "another holder gets the lease in another space");
      assert(await store.lease(space, "work", "one", LONG), "the holder renews it");
      await store.lease(space, "work", "two", 0);
      assert(!(await store.lease(space, "work", "two", LONG)), "another holder cannot release it");
      await store.lease(space, "work", "one", 0);
      assert(await store.lease(space, "work", "two", LONG), "another holder gets it after the release");
      assert(await store.commit(space, { revision: 0 }), "it does not block writes");
      await store.lease(space, "none", "one", 0);
    },
  ],
  [
    "one of several concurrent requests gets the lease on work",
    async (store, space) => {
      const holders = ["a", "b", "c", "d"];
      const results = await Promise.all(holders.map((holder) => store.lease(space, "work", holder, LONG)));
      assertSame(results.filter(Boolean).length, 1, "the number of holders");
    },
  ],
  [
    "a lease on work expires, and is not granted without a positive duration",
    async (store, space) => {
      assert(await store.lease(space, "work", "gone", 30), "the first gets it");
      await eventually(() => store.lease(space, "work", "next", LONG), "another gets it");
      assert(!(await store.lease(space, "work", "gone", LONG)), "the former holder does not get it back");
      for (const [i, milliseconds] of [0, -1, Number.NaN].entries()) {
        assert(await store.lease(space, "short", "one", LONG), "the first gets it");
        assert(
          !(await store.lease(space, "short", `two ${i}`, milliseconds)),
          "a request without a positive duration by another holder is not granted",
        );
        assert(!(await store.lease(space, "short", `two ${i}`, LONG)), "the first still has it");
        assert(!(await store.lease(space, "short", "one", milliseconds)), "the first holder releases it");
      }
      assert(await store.lease(space, "short", "two", LONG), "another gets it");
    },
  ],
];
