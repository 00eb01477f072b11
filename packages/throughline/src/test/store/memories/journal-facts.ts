import { assert, assertSame, eventually } from "../../assert.ts";
import { change, contradiction, fullTurn, journalEntry, memory, turnChange } from "../../memory-samples.ts";
import type { MemoryFact } from "../../store-check.ts";

const LONG = 600_000;

export const MEMORY_JOURNAL_FACTS: readonly MemoryFact[] = [
  [
    "the journal comes newest first: the last, or those of some ids",
    async (shelf, space) => {
      const entries = ["e", "a", "d", "c", "b"].map((id, at) => ({ ...journalEntry(id, [change(id)]), at: at % 2 }));
      await shelf.commit(space, { revision: 0, journal: entries.slice(0, 2) });
      await shelf.commit(space, { revision: 1, journal: [] });
      await shelf.commit(space, { revision: 2, journal: entries.slice(2) });
      const newest = entries.toReversed();
      assertSame(await shelf.journal(space, { limit: 9 }), newest, "all");
      assertSame(await shelf.journal(space, { limit: Number.POSITIVE_INFINITY }), newest, "all, without a limit");
      assertSame(await shelf.journal(space, { limit: 2 }), newest.slice(0, 2), "the last two");
      assertSame(await shelf.journal(space, { limit: 0 }), [], "none");
      assertSame(await shelf.journal(space, { ids: ["e", "none", "b", "e"] }), [entries[4], entries[0]], "two of them");
      assertSame(await shelf.journal(space, { ids: [] }), [], "those of no ids");
    },
  ],
  [
    "the changes of an entry come in their order",
    async (shelf, space) => {
      const changes = [
        change("z", memory("z")),
        { kind: "contradiction", id: "a", before: contradiction("a", "z", "b"), after: "x" } as const,
        turnChange(fullTurn("a", "text")),
        change("a"),
        change("z"),
      ];
      await shelf.commit(space, { revision: 0, journal: [journalEntry("j", changes), journalEntry("empty")] });
      assertSame(await shelf.journal(space, { ids: ["j"] }), [journalEntry("j", changes)], "the entry");
      assertSame(await shelf.journal(space, { ids: ["empty"] }), [journalEntry("empty")], "the one without changes");
    },
  ],
  [
    "contradictions come in the order in which they were found, those that are asked for",
    async (shelf, space) => {
      const resolved = { status: "resolved", resolvedAt: 9, resolution: "a_wins" } as const;
      const all = [
        contradiction("d", "m1", "m2", { detectedAt: 1 }),
        contradiction("a", "m2", "m3", { detectedAt: 2, ...resolved }),
        contradiction("b", "m4", "m1", { detectedAt: 2 }),
        contradiction("c", "m5", "m5", { detectedAt: 3 }),
      ];
      await shelf.commit(space, { revision: 0, contradictions: all.toReversed() });
      const ids = async (filter?: Parameters<typeof shelf.contradictions>[1]) =>
        (await shelf.contradictions(space, filter)).map(({ id }) => id).join("");
      assertSame(await shelf.contradictions(space), all, "all");
      assertSame(await ids({ status: "open" }), "dbc", "open ones");
      assertSame(await ids({ status: "resolved" }), "a", "resolved ones");
      assertSame(await ids({ ids: ["c", "none", "d", "c"] }), "dc", "those of some ids");
      assertSame(await ids({ ids: [] }), "", "those of no ids");
      assertSame(await ids({ of: ["m1"] }), "db", "those of a memory");
      assertSame(await ids({ of: ["m1", "m2"] }), "dab", "those of two memories, each once");
      assertSame(await ids({ of: ["m2", "m5"], status: "open" }), "dc", "open ones of two memories");
      assertSame(await ids({ of: [] }), "", "those of no memories");
      assertSame(await ids({ of: ["m1"], ids: ["b", "c"] }), "b", "those of a memory, of some ids");
    },
  ],
  [
    "a judgement is kept by its key, the last of them",
    async (shelf, space) => {
      assertSame(await shelf.judgement(space, "a b"), undefined, "at first");
      await shelf.keepJudgement(space, { key: "a b", memoryIds: ["a", "b", "a"], contradicts: true });
      await shelf.keepJudgement(space, { key: "a c", memoryIds: [], contradicts: false });
      const long = "x".repeat(5000);
      await shelf.keepJudgement(space, { key: long, memoryIds: ["a"], contradicts: true });
      assertSame(await shelf.judgement(space, "a b"), true, "the first");
      assertSame(await shelf.judgement(space, "a c"), false, "the second");
      assertSame(await shelf.judgement(space, long), true, "one with a long key");
      assertSame(await shelf.judgement(space, `${long}x`), undefined, "one with a longer key");
      assertSame(await shelf.judgement(space, "A b"), undefined, "another");
      await shelf.keepJudgement(space, { key: "a b", memoryIds: ["b"], contradicts: false });
      assertSame(await shelf.judgement(space, "a b"), false, "the first after it was judged again");
      assertSame(await shelf.head(space), { revision: 0, epoch: 0 }, "the head");
    },
  ],
  [
    "a lease on a piece of work has one holder, who can renew it and give it back",
    async (shelf, space) => {
      assert(await shelf.acquire(space, "work", "one", LONG), "the first gets it");
      assert(!(await shelf.acquire(space, "work", "two", LONG)), "another does not get it");
      assert(await shelf.acquire(space, "other work", "two", LONG), "another gets that on other work");
      assert(await shelf.acquire(`${space}2`, "work", "two", LONG), "and that in another space");
      assert(await shelf.acquire(space, "work", "one", LONG), "the holder renews it");
      await shelf.release(space, "work", "two");
      assert(!(await shelf.acquire(space, "work", "two", LONG)), "another cannot give it back");
      await shelf.release(space, "work", "one");
      assert(await shelf.acquire(space, "work", "two", LONG), "another gets it when it was given back");
      assert(await shelf.commit(space, { revision: 0 }), "it keeps nobody from writing");
      await shelf.release(space, "none", "one");
    },
  ],
  [
    "of several who want a lease on work one gets it",
    async (shelf, space) => {
      const holders = ["a", "b", "c", "d"];
      const results = await Promise.all(holders.map((holder) => shelf.acquire(space, "work", holder, LONG)));
      assertSame(results.filter(Boolean).length, 1, "the number of holders");
    },
  ],
  [
    "a lease on work that was left behind ends by itself, and one for no time is nobody's",
    async (shelf, space) => {
      assert(await shelf.acquire(space, "work", "gone", 30), "the first gets it");
      await eventually(() => shelf.acquire(space, "work", "next", LONG), "another gets it");
      assert(!(await shelf.acquire(space, "work", "gone", LONG)), "who left it does not get it back");
      for (const [i, milliseconds] of [0, -1, Number.NaN].entries()) {
        assert(await shelf.acquire(space, "short", `one ${i}`, milliseconds), "it is given and has ended");
      }
      assert(await shelf.acquire(space, "short", "two", LONG), "another gets it");
    },
  ],
];
