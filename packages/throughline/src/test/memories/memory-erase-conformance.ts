import type { Memory } from "../../ports/memory.ts";
import type { JournalChange, MemoryStore } from "../../ports/memory-store.ts";
import { assert, assertRefused, assertSame, type MemoryFact } from "../conformance.ts";
import { change, contradiction, entry, journalEntry, memory, storedMemory, turn, turnChange } from "../samples.ts";

const NOTHING = { memories: 0, turns: 0, contradictions: 0, journalChanges: 0, judgements: 0 };

export const MEMORY_ERASE_FACTS: readonly MemoryFact[] = [
  [
    "an erasure deletes items with everything that refers to them, and nothing else",
    async (store, space) => {
      await fill(store, space);
      const report = await store.erase(space, { memories: ["m1", "m2", "none", "m1"], turns: ["t1", "none"] });
      const counts = { memories: 2, turns: 1, contradictions: 2, journalChanges: 5, judgements: 2 };
      assertSame(report, counts, "the counts of erased items");
      assertSame(await store.list(space, "memories"), [memory("kept")], "the memories");
      assertSame(await store.get(space, "memories", ["m1", "m2"]), [], "the erased memories");
      assertSame(
        await store.list(space, "memories", {
          current: true,
          matchAny: { slots: ["slot"], fingerprints: ["words of m2"] },
        }),
        [],
        "related memories",
      );
      assertSame(await store.list(space, "turns", { sessionId: "s" }), [turn("t2", "s", 1)], "the turns");
      const entries = await store.list(space, "entries", { limit: 10 });
      assertSame(idsOf(entries), ["kept", "t2"], "the entries");
      assertSame(
        idsOf(await store.list(space, "entries", { withoutVectorOf: "other", limit: 10 })),
        ["kept", "t2"],
        "the entries by id",
      );
      assertSame(idsOf(await store.list(space, "contradictions")), ["c3"], "the contradictions");
      const journal = await store.list(space, "journal", { limit: 10 });
      assertSame(idsOf(journal), ["j3", "empty", "j1"], "the journal");
      assertSame(idsOf(journal[0]?.changes ?? []), ["c3"], "the changes of the last entry");
      assertSame(journal[2], journalEntry("j1", [change("kept", memory("kept"))]), "the first entry");
      const judgements = await store.get(space, "judgements", ["12", "1", "kept"]);
      assertSame(judgements, [{ key: "kept", contradicts: true }], "the judgements");
    },
  ],
  [
    "references to an erased memory are removed from other memories and from the journal",
    async (store, space) => {
      const knowing = (gone: string[]): Partial<Memory> => ({
        links: ["a", ...gone, "b"],
        ...(gone.length > 0 && { supersedes: "gone", supersededBy: "gone" }),
      });
      const other = memory("other", { supersedes: "gone", supersededBy: "stays", links: ["gone"] });
      const before = [change("knows", memory("knows", knowing(["gone"]))), change("other", other)];
      await store.commit(space, {
        revision: 0,
        memories: [
          storedMemory("knows", knowing(["gone", "gone"]), { slot: "slot" }),
          storedMemory("gone", { links: ["knows"] }),
          { memory: other, fingerprint: "f" },
          storedMemory("stays", { supersedes: "other" }),
        ],
        journal: [journalEntry("j", before)],
      });
      const report = await store.erase(space, { memories: ["gone"], turns: [] });
      assertSame(report, { ...NOTHING, memories: 1 }, "the counts of erased items");
      const left = [
        memory("knows", knowing([])),
        memory("other", { supersededBy: "stays" }),
        memory("stays", { supersedes: "other" }),
      ];
      assertSame(await store.list(space, "memories"), left, "the memories");
      assertSame(
        await store.list(space, "memories", { current: true, matchAny: { slots: ["slot"], fingerprints: [""] } }),
        left.slice(0, 1),
        "the memory of the slot",
      );
      const changes = left.slice(0, 2).map((one) => change(one.id, one));
      assertSame(await store.list(space, "journal", { limit: 1 }), [journalEntry("j", changes)], "the journal");
    },
  ],
  [
    "an old contradiction in the journal is erased with a memory that it was about",
    async (store, space) => {
      const old = contradiction("c", "gone", "a");
      const changes = [{ kind: "contradiction", id: "c", before: old, after: "x" } as const, change("a")];
      await store.commit(space, {
        revision: 0,
        memories: [storedMemory("gone"), storedMemory("a")],
        contradictions: [contradiction("c", "b", "a")],
        journal: [journalEntry("j", changes)],
      });
      const report = await store.erase(space, { memories: ["gone"], turns: [] });
      assertSame(report, { ...NOTHING, memories: 1, journalChanges: 1 }, "the counts of erased items");
      assertSame(await store.list(space, "journal", { limit: 9 }), [journalEntry("j", [change("a")])], "the journal");
      assertSame(idsOf(await store.list(space, "contradictions")), ["c"], "the current contradiction");
    },
  ],
  [
    "references are removed from many journal entries",
    async (store, space) => {
      const ids = Array.from({ length: 1200 }, (_, i) => `m${i}`);
      const journal = ids.map((id, i) =>
        journalEntry(`j${i}`, [change(id, memory(id, { links: i % 3 === 0 ? ["gone", "a"] : ["a"] }))]),
      );
      await store.commit(space, { revision: 0, memories: [storedMemory("gone")], journal });
      await store.erase(space, { memories: ["gone"], turns: [] });
      const left = journal.map(({ id, changes: [one] }) =>
        journalEntry(id, [change(one?.id ?? "", memory(one?.id ?? "", { links: ["a"] }))]),
      );
      assertSame(await store.list(space, "journal", { limit: 2000 }), left.toReversed(), "the journal");
    },
  ],
  [
    "an erasure increments epoch and revision, so that commits on older reads are refused",
    async (store, space) => {
      await store.commit(space, { revision: 0, memories: [storedMemory("m")], turns: [turn("t", "s", 0)] });
      assertSame(
        await store.erase(space, { memories: ["m"], turns: ["t"] }),
        { ...NOTHING, memories: 1, turns: 1 },
        "the counts of the first erasure",
      );
      assertSame(await store.head(space), { revision: 2, epoch: 1 }, "the head");
      assertSame(
        await store.commit(space, { revision: 1, memories: [storedMemory("m")] }),
        false,
        "a commit on the revision before the erasure",
      );
      assertSame(await store.list(space, "memories"), [], "the memories");
      assertSame(
        await store.erase(space, { memories: ["m"], turns: ["t"] }),
        NOTHING,
        "the counts of the second erasure",
      );
      assertSame(await store.head(space), { revision: 3, epoch: 2 }, "the head after it");
      assert(await store.commit(space, { revision: 3, memories: [storedMemory("m")] }), "the id is free again");
    },
  ],
  [
    "journal changes of a turn are erased with the turn, and with the item that outdated it",
    async (store, space) => {
      const marked = (id: string, by: string) => turn(id, "s", 0, { marks: [{ since: 1 }, { by, since: 2 }] });
      const turns = ["gone", "other", "third", "fourth"].map((id, at) => turn(id, "s", at));
      const kept = [turnChange(turn("other", "s", 1)), turnChange(marked("fourth", "other")), change("gone")];
      await store.commit(space, {
        revision: 0,
        memories: [storedMemory("m")],
        turns,
        journal: [
          journalEntry("j1", [turnChange(turn("gone", "s", 0)), kept[0] as JournalChange, change("m")]),
          journalEntry("j2", [turnChange(marked("other", "gone"))]),
          journalEntry("j3", [turnChange(marked("third", "m")), ...kept.slice(1)]),
        ],
      });
      const report = await store.erase(space, { memories: ["m"], turns: ["gone"] });
      assertSame(report, { ...NOTHING, memories: 1, turns: 1, journalChanges: 4 }, "the counts of erased items");
      const left = [journalEntry("j3", kept.slice(1)), journalEntry("j1", kept.slice(0, 1))];
      assertSame(await store.list(space, "journal", { limit: 9 }), left, "the journal");
      assertSame(await store.list(space, "turns", { sessionId: "s" }), turns.slice(1), "the turns");
    },
  ],
  [
    "an erasure writes replacements in the same transaction",
    async (store, space) => {
      await fill(store, space);
      await store.record(space, { uses: { ids: ["m1"], use: "cited", at: 7 } });
      const artifacts = [{ type: "pr", ref: "7" }] as const;
      const write = {
        revision: 1,
        memories: [storedMemory("m1", { artifacts, links: ["kept"], mentions: 3 }, { slot: "slot" })],
        turns: [turn("t2", "s", 1, { speaker: "Ann" })],
        entries: [entry("m1", "words", [4])],
        journal: [journalEntry("purge", [change("m1")])],
      };
      const erasure = { memories: ["m1", "m2"], turns: ["t1"], write };
      assertSame(
        await store.erase(space, { ...erasure, write: { ...write, revision: 0 } }),
        undefined,
        "an erasure on an outdated revision",
      );
      assertSame((await store.list(space, "memories")).length, 3, "the memories after that");
      const taken = { ...erasure, write: { ...write, journal: [journalEntry("empty")] } };
      await assertRefused(store.erase(space, taken), "duplicate-id", "an existing id");
      assertSame((await store.list(space, "turns", { sessionId: "s" })).length, 2, "the turns after that");
      assertSame(await store.head(space), { revision: 1, epoch: 0 }, "the head after that");
      const report = await store.erase(space, erasure);
      const counts = { memories: 1, turns: 1, contradictions: 2, journalChanges: 5, judgements: 2 };
      assertSame(report, counts, "the counts of erased items, without the rewritten ones");
      assertSame(await store.head(space), { revision: 2, epoch: 1 }, "the head");
      const usage = { retrieved: 0, cited: 1, ignored: 0, lastAccessedAt: 7 };
      const left = memory("m1", { artifacts, links: ["kept"], mentions: 3, usage });
      assertSame(await store.list(space, "memories"), [memory("kept"), left], "the memories");
      assertSame(
        await store.list(space, "memories", { current: true, matchAny: { slots: ["slot"], fingerprints: [""] } }),
        [left],
        "the memory of the slot",
      );
      assertSame(await store.list(space, "turns", { sessionId: "s" }), write.turns, "the turns");
      const leftEntries = write.entries.map((one) => ({ ...one, revision: 2 }));
      assertSame(await store.get(space, "entries", ["m1", "m2", "t1"]), leftEntries, "the entries");
      const entries = await store.list(space, "entries", { after: { revision: 1 }, limit: 9 });
      assertSame(entries, [{ ...entry("m1", "words", [4]), revision: 2 }], "the new entries");
      assertSame((await store.list(space, "journal", { limit: 1 }))[0], write.journal[0], "the journal");
      assertSame(idsOf(await store.list(space, "contradictions")), ["c3"], "the contradictions");
    },
  ],
  [
    "one of a concurrent erasure and commit succeeds",
    async (store, space) => {
      await store.commit(space, { revision: 0, memories: [storedMemory("a"), storedMemory("b")] });
      const [report, isCommitted] = await Promise.all([
        store.erase(space, { memories: ["a"], turns: [], write: { revision: 1, memories: [storedMemory("c")] } }),
        store.commit(space, { revision: 1, memories: [storedMemory("d")] }),
      ]);
      assertSame(report === undefined, isCommitted, "true if the erasure was refused");
      assertSame(
        idsOf(await store.list(space, "memories")),
        isCommitted ? ["a", "b", "d"] : ["b", "c"],
        "the memories",
      );
      assertSame((await store.head(space)).revision, 2, "the revision");
    },
  ],
  [
    "an erasure in an empty space only writes its replacements",
    async (store, space) => {
      assertSame(await store.erase(space, { memories: ["m"], turns: ["t"] }), NOTHING, "the counts of erased items");
      assertSame(await store.head(space), { revision: 0, epoch: 0 }, "the head");
      assert(!(await store.spaces()).includes(space), "the space is not listed");
      const write = { revision: 0, memories: [storedMemory("a")] };
      assertSame(
        await store.erase(space, { memories: ["m"], turns: [], write }),
        NOTHING,
        "the counts of an erasure that writes",
      );
      assertSame(await store.head(space), { revision: 1, epoch: 1 }, "the head after it");
    },
  ],
];

async function fill(store: MemoryStore, space: string): Promise<void> {
  const artifacts = [{ type: "file", ref: "a.ts" }] as const;
  await store.commit(space, {
    revision: 0,
    memories: [storedMemory("m1", { artifacts }, { slot: "slot" }), storedMemory("m2"), storedMemory("kept")],
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
  await store.record(space, { judgements: [{ key: "12", memoryIds: ["m1", "m2"], contradicts: true }] });
  await store.record(space, { judgements: [{ key: "1", memoryIds: ["kept", "m1"], contradicts: false }] });
  await store.record(space, { judgements: [{ key: "kept", memoryIds: ["kept", "x"], contradicts: true }] });
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id);
}
