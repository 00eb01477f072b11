import type { MemoryCommit, MemoryStore } from "../../../ports/memory-store.ts";
import { assert, assertRefused, assertSame } from "../../assert.ts";
import { change, contradiction, entry, journalEntry, memory, shelved, turn } from "../../memory-samples.ts";
import type { MemoryFact } from "../../store-check.ts";

export const MEMORY_COMMIT_FACTS: readonly MemoryFact[] = [
  [
    "a space that was never written to is empty",
    async (shelf, space) => {
      assertSame(await shelf.head(space), { revision: 0, epoch: 0 }, "its head");
      await assertEmpty(shelf, space);
      assert(!(await shelf.spaces()).includes(space), "it is no space");
    },
  ],
  [
    "a commit writes all of it, and counts the revision up",
    async (shelf, space) => {
      assert(await shelf.commit(space, everything(0)), "the first is written");
      assertSame(await shelf.head(space), { revision: 1, epoch: 0 }, "the head");
      assertSame(await shelf.memories(space, ["m"]), [memory("m")], "the memory");
      assertSame(await shelf.turns(space, ["t"]), [turn("t", "s", 0)], "the turn");
      const entries = await shelf.entries(space, { revision: 0 }, 10);
      assertSame(entries, [{ ...entry("m", "words"), revision: 1 }], "the entry");
      assertSame(await shelf.contradictions(space), [contradiction("c", "m", "n")], "the contradiction");
      assertSame(await shelf.journal(space, { limit: 9 }), [journalEntry("j", [change("m")])], "the journal");
      assert(await shelf.commit(space, { revision: 1 }), "a commit of nothing counts too");
      assertSame(await shelf.head(space), { revision: 2, epoch: 0 }, "the head after it");
    },
  ],
  [
    "what is there under an id is replaced as a whole",
    async (shelf, space) => {
      const first = shelved("m", { key: "db", artifacts: [{ type: "pr", ref: "7" }], links: ["a"], validTo: 5 });
      await shelf.commit(space, {
        revision: 0,
        memories: [first],
        turns: [turn("t", "s", 0, { speaker: "Ann" })],
        entries: [entry("m", "words"), entry("t", "words")],
        contradictions: [contradiction("c", "a", "b", { status: "resolved", note: "n", resolvedAt: 1 })],
      });
      await shelf.commit(space, {
        revision: 1,
        memories: [shelved("m")],
        turns: [turn("t", "other", 4)],
        entries: [entry("m")],
        contradictions: [contradiction("c", "a", "d")],
      });
      assertSame(await shelf.list(space), [memory("m")], "the memory");
      assertSame(await shelf.turns(space, ["t"]), [turn("t", "other", 4)], "the turn");
      assertSame(await shelf.turnsOf(space, "s"), [], "turns of its session of before");
      assertSame(await shelf.contradictions(space), [contradiction("c", "a", "d")], "the contradiction");
      const entries = await shelf.entries(space, { revision: 0 }, 10);
      const expected = [
        { ...entry("t", "words"), revision: 1 },
        { ...entry("m"), revision: 2 },
      ];
      assertSame(entries, expected, "the entries");
    },
  ],
  [
    "of two with one id in a commit the last counts",
    async (shelf, space) => {
      await shelf.commit(space, {
        revision: 0,
        memories: [
          shelved("m", { artifacts: [{ type: "pr", ref: "7" }] }, { slot: "first" }),
          shelved("m", { mentions: 2 }, { slot: "second" }),
        ],
        turns: [turn("t", "s", 0), turn("t", "s", 1)],
        entries: [entry("m", "words"), entry("m")],
        contradictions: [contradiction("c", "a", "b"), contradiction("c", "a", "d")],
      });
      assertSame(await shelf.list(space), [memory("m", { mentions: 2 })], "the memory");
      assertSame(await shelf.related(space, ["first"], ""), [], "memories of the first slot");
      assertSame(await shelf.turnsOf(space, "s"), [turn("t", "s", 1)], "the turn");
      assertSame(await shelf.entries(space, { revision: 0 }, 9), [{ ...entry("m"), revision: 1 }], "the entry");
      assertSame(await shelf.contradictions(space), [contradiction("c", "a", "d")], "the contradiction");
    },
  ],
  [
    "a commit that does not build on the last one writes nothing",
    async (shelf, space) => {
      for (const revision of [1, -1, 0.5, Number.NaN]) {
        assertSame(await shelf.commit(space, everything(revision)), false, `one on ${revision} instead of 0`);
      }
      await assertEmpty(shelf, space);
      assert(!(await shelf.spaces()).includes(space), "it is no space");
      await shelf.commit(space, { revision: 0 });
      for (const revision of [0, 2]) {
        assertSame(await shelf.commit(space, everything(revision)), false, `one on ${revision} instead of 1`);
      }
      await assertEmpty(shelf, space);
      assertSame(await shelf.head(space), { revision: 1, epoch: 0 }, "the head");
    },
  ],
  [
    "of several commits to a space on one revision one is written",
    async (shelf, space) => {
      for (const revision of [0, 1, 2]) {
        const rivals = ["a", "b", "c", "d"].map((name) => `${name}${revision}`);
        const results = await Promise.all(
          rivals.map((id) => shelf.commit(space, { revision, memories: [shelved(id)], journal: [journalEntry(id)] })),
        );
        const winners = rivals.filter((_, i) => results[i]);
        assertSame(winners.length, 1, "the number of commits that were written");
        const [newest] = await shelf.journal(space, { limit: 1 });
        assertSame(newest?.id, winners[0], "the newest entry of the journal");
      }
      assertSame((await shelf.list(space)).length, 3, "the number of memories");
    },
  ],
  [
    "an id that an entry of the journal has is refused, and all that came with it",
    async (shelf, space) => {
      const journal = [journalEntry("j", [change("m")]), journalEntry("j", [])];
      await assertRefused(shelf.commit(space, { ...everything(0), journal }), "duplicate-id", "one twice");
      await assertEmpty(shelf, space);
      assertSame(await shelf.head(space), { revision: 0, epoch: 0 }, "the head");
      await shelf.commit(space, { revision: 0, journal: [journalEntry("j", [change("first")])] });
      const again = { revision: 1, memories: [shelved("m")], journal: [journalEntry("fresh"), journalEntry("j")] };
      await assertRefused(shelf.commit(space, again), "duplicate-id", "an id that is there");
      assertSame(await shelf.journal(space, { limit: 9 }), [journalEntry("j", [change("first")])], "the journal");
      assertSame(await shelf.list(space), [], "the memories");
      assertSame(await shelf.head(space), { revision: 1, epoch: 0 }, "the head");
    },
  ],
  [
    "a large commit is written as a whole",
    async (shelf, space) => {
      const ids = Array.from({ length: 700 }, (_, i) => `m${String(i).padStart(4, "0")}`);
      const artifacts = [{ type: "file", ref: "src/a.ts" }] as const;
      const memories = ids.map((id, i) => shelved(id, i % 3 === 0 ? { artifacts } : {}));
      const changes = ids.map((id, i) => change(id, i % 2 === 0 ? memory(id) : undefined));
      const entries = ids.map((id) => entry(id, "words"));
      const turns = ids.map((id, i) => turn(`turn ${id}`, "s", i));
      await shelf.commit(space, { revision: 0, memories, turns, entries, journal: [journalEntry("j", changes)] });
      const all = memories.map((one) => one.memory);
      assertSame(await shelf.list(space), all, "the memories");
      assertSame(await shelf.memories(space, ids.toReversed()), all.toReversed(), "the memories by id");
      assertSame(await shelf.turnsOf(space, "s"), turns, "the turns");
      const stored = entries.map((one) => ({ ...one, revision: 1 }));
      assertSame(await shelf.entries(space, { revision: 0 }, 1000), stored, "the entries");
      assertSame(await shelf.journal(space, { ids: ["j"] }), [journalEntry("j", changes)], "the journal");
      await shelf.countUse(space, ids, "cited", 5);
      const used = (await shelf.list(space)).filter(({ usage }) => usage.cited === 1);
      assertSame(used.length, 700, "memories that were used");
    },
  ],
];

/** A commit of all kinds at once. */
function everything(revision: number): MemoryCommit {
  return {
    revision,
    memories: [shelved("m")],
    turns: [turn("t", "s", 0)],
    entries: [entry("m", "words")],
    contradictions: [contradiction("c", "m", "n")],
    journal: [journalEntry("j", [change("m")])],
  };
}

async function assertEmpty(shelf: MemoryStore, space: string): Promise<void> {
  assertSame(await shelf.list(space), [], "memories");
  assertSame(await shelf.memories(space, ["m"]), [], "memories by id");
  assertSame(await shelf.related(space, ["slot"], "words of m"), [], "related memories");
  assertSame(await shelf.turns(space, ["t"]), [], "turns");
  assertSame(await shelf.turnsOf(space, "s"), [], "turns of a session");
  assertSame(await shelf.countTurns(space, "s"), 0, "the number of turns");
  assertSame(await shelf.entries(space, { revision: 0 }, 10), [], "entries");
  assertSame(await shelf.entriesWithout(space, "words", "", 10), [], "entries without a vector");
  assertSame(await shelf.contradictions(space), [], "contradictions");
  assertSame(await shelf.journal(space, { limit: 10 }), [], "the journal");
  assertSame(await shelf.judgement(space, "key"), undefined, "a judgement");
}
