import type { Memory } from "../../../ports/memory.ts";
import type { MemoryShelf } from "../../../ports/memory-shelf.ts";
import { assert, assertSame } from "../../assert.ts";
import { change, contradiction, entry, journalEntry, memory, shelved, turn } from "../../memory-samples.ts";
import type { MemoryFact } from "../../store-check.ts";

const NOTHING = { memories: 0, turns: 0, contradictions: 0, journalChanges: 0, judgements: 0 };

export const MEMORY_ERASE_FACTS: readonly MemoryFact[] = [
  [
    "what is erased is gone with all that is known of it, and all else stays",
    async (shelf, space) => {
      await fill(shelf, space);
      const report = await shelf.erase(space, { memories: ["m1", "m2", "none", "m1"], turns: ["t1", "none"] });
      const counts = { memories: 2, turns: 1, contradictions: 2, journalChanges: 5, judgements: 2 };
      assertSame(report, counts, "what was erased");
      assertSame(await shelf.list(space), [memory("kept")], "the memories");
      assertSame(await shelf.memories(space, ["m1", "m2"]), [], "those that were erased");
      assertSame(await shelf.related(space, ["slot"], "words of m2"), [], "related ones");
      assertSame(await shelf.turnsOf(space, "s"), [turn("t2", "s", 1)], "the turns");
      const entries = await shelf.entries(space, { revision: 0 }, 10);
      assertSame(idsOf(entries), ["kept", "t2"], "the entries");
      assertSame(idsOf(await shelf.entriesWithout(space, "other", "", 10)), ["kept", "t2"], "the entries by id");
      assertSame(idsOf(await shelf.contradictions(space)), ["c3"], "the contradictions");
      const journal = await shelf.journal(space, { limit: 10 });
      assertSame(idsOf(journal), ["j3", "empty", "j1"], "the journal");
      assertSame(idsOf(journal[0]?.changes ?? []), ["c3"], "what the last entry tells of");
      assertSame(journal[2], journalEntry("j1", [change("kept", memory("kept"))]), "what the first entry tells");
      const judgements = ["12", "1", "kept"].map((key) => shelf.judgement(space, key));
      assertSame(await Promise.all(judgements), [undefined, undefined, true], "the judgements");
    },
  ],
  [
    "other memories do not know of one that was erased any more, in the journal neither",
    async (shelf, space) => {
      const knowing = (gone: string[]): Partial<Memory> => ({
        links: ["a", ...gone, "b"],
        ...(gone.length > 0 && { supersedes: "gone", supersededBy: "gone" }),
      });
      const other = memory("other", { supersedes: "gone", supersededBy: "stays", links: ["gone"] });
      const before = [change("knows", memory("knows", knowing(["gone"]))), change("other", other)];
      await shelf.commit(space, {
        revision: 0,
        memories: [
          shelved("knows", knowing(["gone", "gone"]), { slot: "slot" }),
          shelved("gone", { links: ["knows"] }),
          { memory: other, fingerprint: "f" },
          shelved("stays", { supersedes: "other" }),
        ],
        journal: [journalEntry("j", before)],
      });
      const report = await shelf.erase(space, { memories: ["gone"], turns: [] });
      assertSame(report, { ...NOTHING, memories: 1 }, "what was erased");
      const left = [
        memory("knows", knowing([])),
        memory("other", { supersededBy: "stays" }),
        memory("stays", { supersedes: "other" }),
      ];
      assertSame(await shelf.list(space), left, "the memories");
      assertSame(await shelf.related(space, ["slot"], ""), left.slice(0, 1), "the one of the slot");
      const changes = left.slice(0, 2).map((one) => change(one.id, one));
      assertSame(await shelf.journal(space, { limit: 1 }), [journalEntry("j", changes)], "the journal");
    },
  ],
  [
    "an old contradiction in the journal goes with a memory that it was about",
    async (shelf, space) => {
      const old = contradiction("c", "gone", "a");
      const changes = [{ kind: "contradiction", id: "c", before: old, after: "x" } as const, change("a")];
      await shelf.commit(space, {
        revision: 0,
        memories: [shelved("gone"), shelved("a")],
        contradictions: [contradiction("c", "b", "a")],
        journal: [journalEntry("j", changes)],
      });
      const report = await shelf.erase(space, { memories: ["gone"], turns: [] });
      assertSame(report, { ...NOTHING, memories: 1, journalChanges: 1 }, "what was erased");
      assertSame(await shelf.journal(space, { limit: 9 }), [journalEntry("j", [change("a")])], "the journal");
      assertSame(idsOf(await shelf.contradictions(space)), ["c"], "the contradiction of today");
    },
  ],
  [
    "many journal entries are looked through for what was erased",
    async (shelf, space) => {
      const ids = Array.from({ length: 1200 }, (_, i) => `m${i}`);
      const journal = ids.map((id, i) =>
        journalEntry(`j${i}`, [change(id, memory(id, { links: i % 3 === 0 ? ["gone", "a"] : ["a"] }))]),
      );
      await shelf.commit(space, { revision: 0, memories: [shelved("gone")], journal });
      await shelf.erase(space, { memories: ["gone"], turns: [] });
      const left = journal.map(({ id, changes: [one] }) =>
        journalEntry(id, [change(one?.id ?? "", memory(one?.id ?? "", { links: ["a"] }))]),
      );
      assertSame(await shelf.journal(space, { limit: 2000 }), left.toReversed(), "the journal");
    },
  ],
  [
    "an erasure counts epoch and revision up, so that nobody writes again what they read before",
    async (shelf, space) => {
      await shelf.commit(space, { revision: 0, memories: [shelved("m")], turns: [turn("t", "s", 0)] });
      assertSame(
        await shelf.erase(space, { memories: ["m"], turns: ["t"] }),
        { ...NOTHING, memories: 1, turns: 1 },
        "it",
      );
      assertSame(await shelf.head(space), { revision: 2, epoch: 1 }, "the head");
      assertSame(await shelf.commit(space, { revision: 1, memories: [shelved("m")] }), false, "a commit from before");
      assertSame(await shelf.list(space), [], "the memories");
      assertSame(await shelf.erase(space, { memories: ["m"], turns: ["t"] }), NOTHING, "another");
      assertSame(await shelf.head(space), { revision: 3, epoch: 2 }, "the head after it");
      assert(await shelf.commit(space, { revision: 3, memories: [shelved("m")] }), "the id is free again");
    },
  ],
  [
    "an erasure in a space that was never written to does nothing",
    async (shelf, space) => {
      assertSame(await shelf.erase(space, { memories: ["m"], turns: ["t"] }), NOTHING, "what was erased");
      assertSame(await shelf.head(space), { revision: 0, epoch: 0 }, "the head");
      assert(!(await shelf.spaces()).includes(space), "it is no space");
    },
  ],
];

async function fill(shelf: MemoryShelf, space: string): Promise<void> {
  const artifacts = [{ type: "file", ref: "a.ts" }] as const;
  await shelf.commit(space, {
    revision: 0,
    memories: [shelved("m1", { artifacts }, { slot: "slot" }), shelved("m2"), shelved("kept")],
    turns: [turn("t1", "s", 0), turn("t2", "s", 1)],
    entries: ["m1", "m2", "kept", "t1", "t2"].map((id) => entry(id, "words")),
    contradictions: [
      contradiction("c1", "m1", "m2"),
      contradiction("c2", "kept", "m1"),
      contradiction("c3", "kept", "x"),
    ],
    journal: [
      journalEntry("j1", [change("m1"), change("kept", memory("kept")), change("m2")]),
      journalEntry("j2", [change("m1", memory("m1"))]),
      journalEntry("empty"),
      journalEntry("j3", [
        { kind: "contradiction", id: "c1", after: "x" },
        { kind: "contradiction", id: "c3", after: "x" },
        { kind: "contradiction", id: "c2", before: contradiction("c2", "kept", "m1"), after: "x" },
      ]),
    ],
  });
  await shelf.keepJudgement(space, { key: "12", memoryIds: ["m1", "m2"], contradicts: true });
  await shelf.keepJudgement(space, { key: "1", memoryIds: ["kept", "m1"], contradicts: false });
  await shelf.keepJudgement(space, { key: "kept", memoryIds: ["kept", "x"], contradicts: true });
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id);
}
