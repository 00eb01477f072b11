import type { MemoryCommit, MemoryStore, StoredSearchEntry } from "../../ports/memory-store.ts";
import { assert, assertRefused, assertSame, type MemoryFact } from "../conformance.ts";
import { change, contradiction, entry, journalEntry, memory, storedMemory, turn } from "../samples.ts";

export const MEMORY_COMMIT_FACTS: readonly MemoryFact[] = [
  [
    "a space that was never written to is empty",
    async (store, space) => {
      assertSame(await store.head(space), { revision: 0, epoch: 0 }, "its head");
      await assertEmpty(store, space);
      assert(!(await store.spaces()).includes(space), "the space is not listed");
    },
  ],
  [
    "a commit writes all items and increments the revision",
    async (store, space) => {
      assert(await store.commit(space, everything(0)), "the first is written");
      assertSame(await store.head(space), { revision: 1, epoch: 0 }, "the head");
      assertSame(await store.get(space, "memories", ["m"]), [memory("m")], "the memory");
      assertSame(await store.get(space, "turns", ["t"]), [turn("t", "s", 0)], "the turn");
      const entries = await store.list(space, "entries", { limit: 10 });
      assertSame(entries, [{ ...entry("m", "words"), revision: 1 }], "the entry");
      assertSame(await store.list(space, "contradictions"), [contradiction("c", "m", "n")], "the contradiction");
      assertSame(await store.list(space, "journal", { limit: 9 }), [journalEntry("j", [change("m")])], "the journal");
      assert(await store.commit(space, { revision: 1 }), "an empty commit increments the revision");
      assertSame(await store.head(space), { revision: 2, epoch: 0 }, "the head after it");
    },
  ],
  [
    "a commit replaces items with the same id as a whole",
    async (store, space) => {
      const first = storedMemory("m", { key: "db", artifacts: [{ type: "pr", ref: "7" }], links: ["a"], validTo: 5 });
      await store.commit(space, {
        revision: 0,
        memories: [first],
        turns: [turn("t", "s", 0, { speaker: "Ann" })],
        entries: [entry("m", "words"), entry("t", "words")],
        contradictions: [contradiction("c", "a", "b", { status: "resolved", note: "n", resolvedAt: 1 })],
      });
      await store.commit(space, {
        revision: 1,
        memories: [storedMemory("m")],
        turns: [turn("t", "other", 4)],
        entries: [entry("m")],
        contradictions: [contradiction("c", "a", "d")],
      });
      assertSame(await store.list(space, "memories"), [memory("m")], "the memory");
      assertSame(await store.get(space, "turns", ["t"]), [turn("t", "other", 4)], "the turn");
      assertSame(await store.list(space, "turns", { sessionId: "s" }), [], "turns of its previous session");
      assertSame(await store.list(space, "contradictions"), [contradiction("c", "a", "d")], "the contradiction");
      const entries = await store.list(space, "entries", { limit: 10 });
      const expected = [
        { ...entry("t", "words"), revision: 1 },
        { ...entry("m"), revision: 2 },
      ];
      assertSame(entries, expected, "the entries");
    },
  ],
  [
    "of two with one id in a commit the last counts",
    async (store, space) => {
      await store.commit(space, {
        revision: 0,
        memories: [
          storedMemory("m", { artifacts: [{ type: "pr", ref: "7" }] }, { slot: "first" }),
          storedMemory("m", { mentions: 2 }, { slot: "second" }),
        ],
        turns: [turn("t", "s", 0), turn("t", "s", 1)],
        entries: [entry("m", "words"), entry("m")],
        contradictions: [contradiction("c", "a", "b"), contradiction("c", "a", "d")],
      });
      assertSame(await store.list(space, "memories"), [memory("m", { mentions: 2 })], "the memory");
      assertSame(
        await store.list(space, "memories", { current: true, matchAny: { slots: ["first"], fingerprints: [""] } }),
        [],
        "memories of the first slot",
      );
      assertSame(await store.list(space, "turns", { sessionId: "s" }), [turn("t", "s", 1)], "the turn");
      assertSame(await store.list(space, "entries", { limit: 9 }), [{ ...entry("m"), revision: 1 }], "the entry");
      assertSame(await store.list(space, "contradictions"), [contradiction("c", "a", "d")], "the contradiction");
    },
  ],
  [
    "a commit to a space on an outdated revision writes nothing",
    async (store, space) => {
      for (const revision of [1, -1, 0.5, Number.NaN]) {
        assertSame(await store.commit(space, everything(revision)), false, `one on ${revision} instead of 0`);
      }
      await assertEmpty(store, space);
      assert(!(await store.spaces()).includes(space), "the space is not listed");
      await store.commit(space, { revision: 0 });
      for (const revision of [0, 2]) {
        assertSame(await store.commit(space, everything(revision)), false, `one on ${revision} instead of 1`);
      }
      await assertEmpty(store, space);
      assertSame(await store.head(space), { revision: 1, epoch: 0 }, "the head");
    },
  ],
  [
    "one of several concurrent commits to a space succeeds",
    async (store, space) => {
      for (const revision of [0, 1, 2]) {
        const rivals = ["a", "b", "c", "d"].map((name) => `${name}${revision}`);
        const results = await Promise.all(
          rivals.map((id) =>
            store.commit(space, { revision, memories: [storedMemory(id)], journal: [journalEntry(id)] }),
          ),
        );
        const winners = rivals.filter((_, i) => results[i]);
        assertSame(winners.length, 1, "the number of commits that were written");
        const [newest] = await store.list(space, "journal", { limit: 1 });
        assertSame(newest?.id, winners[0], "the newest journal entry");
      }
      assertSame((await store.list(space, "memories")).length, 3, "the number of memories");
    },
  ],
  [
    "a commit with a duplicate id of a journal entry is refused as a whole",
    async (store, space) => {
      const journal = [journalEntry("j", [change("m")]), journalEntry("j", [])];
      await assertRefused(store.commit(space, { ...everything(0), journal }), "duplicate-id", "a repeated id");
      await assertEmpty(store, space);
      assertSame(await store.head(space), { revision: 0, epoch: 0 }, "the head");
      await store.commit(space, { revision: 0, journal: [journalEntry("j", [change("first")])] });
      const again = { revision: 1, memories: [storedMemory("m")], journal: [journalEntry("fresh"), journalEntry("j")] };
      await assertRefused(store.commit(space, again), "duplicate-id", "an existing id");
      assertSame(
        await store.list(space, "journal", { limit: 9 }),
        [journalEntry("j", [change("first")])],
        "the journal",
      );
      assertSame(await store.list(space, "memories"), [], "the memories");
      assertSame(await store.head(space), { revision: 1, epoch: 0 }, "the head");
    },
  ],
  [
    "a large commit is written as a whole",
    async (store, space) => {
      const ids = Array.from({ length: 700 }, (_, i) => `m${String(i).padStart(4, "0")}`);
      const artifacts = [{ type: "file", ref: "src/a.ts" }] as const;
      const memories = ids.map((id, i) => storedMemory(id, i % 3 === 0 ? { artifacts } : {}));
      const changes = ids.map((id, i) => change(id, i % 2 === 0 ? memory(id) : undefined));
      const entries = ids.map((id) => entry(id, "words"));
      const turns = ids.map((id, i) => turn(`turn ${id}`, "s", i));
      await store.commit(space, { revision: 0, memories, turns, entries, journal: [journalEntry("j", changes)] });
      const all = memories.map((one) => one.memory);
      assertSame(await store.list(space, "memories"), all, "the memories");
      assertSame(await store.get(space, "memories", ids.toReversed()), all.toReversed(), "the memories by id");
      assertSame(await store.list(space, "turns", { sessionId: "s" }), turns, "the turns");
      const stored = entries.map((one) => ({ ...one, revision: 1 }));
      assertSame(await store.list(space, "entries", { limit: 1000 }), stored, "the entries");
      assertSame(await store.get(space, "journal", ["j"]), [journalEntry("j", changes)], "the journal");
      await store.record(space, { uses: { ids, use: "cited", at: 5 } });
      const used = (await store.list(space, "memories")).filter(({ usage }) => usage.cited === 1);
      assertSame(used.length, 700, "memories that were used");
    },
  ],
];

/** A commit with items of all kinds. */
function everything(revision: number): MemoryCommit {
  return {
    revision,
    memories: [storedMemory("m")],
    turns: [turn("t", "s", 0)],
    entries: [entry("m", "words")],
    contradictions: [contradiction("c", "m", "n")],
    journal: [journalEntry("j", [change("m")])],
  };
}

async function assertEmpty(store: MemoryStore, space: string): Promise<void> {
  assertSame(await store.list(space, "memories"), [], "memories");
  assertSame(await store.get(space, "memories", ["m"]), [], "memories by id");
  assertSame(
    await store.list(space, "memories", { current: true, matchAny: { slots: ["slot"], fingerprints: ["words of m"] } }),
    [],
    "related memories",
  );
  assertSame(await store.get(space, "turns", ["t"]), [], "turns");
  assertSame(await store.list(space, "turns", { sessionId: "s" }), [], "turns of a session");
  assertSame((await store.list(space, "turns", { sessionId: "s" })).length, 0, "the number of turns");
  assertSame(await store.list(space, "entries", { limit: 10 }), [], "entries");
  assertSame(
    await store.list(space, "entries", { withoutVectorOf: "words", limit: 10 }),
    [],
    "entries without a vector",
  );
  assertSame(await store.list(space, "contradictions"), [], "contradictions");
  assertSame(await store.list(space, "journal", { limit: 10 }), [], "the journal");
  assertSame((await store.get(space, "judgements", ["key"]))[0]?.contradicts, undefined, "a judgement");
}

export const MEMORY_ENTRY_FACTS: readonly MemoryFact[] = [
  [
    "entries are listed in the order of their revisions, after a revision",
    async (store, space) => {
      await commitEntries(store, space, 0, ["b", "a", "c"]);
      await commitEntries(store, space, 1, ["A"]);
      await commitEntries(store, space, 2, ["d", "b"]);
      const after = async (revision: number, id?: string, limit = 100) =>
        placesOf(
          await store.list(space, "entries", { after: id === undefined ? { revision } : { revision, id }, limit }),
        );
      assertSame(await after(0), ["1 a", "1 c", "2 A", "3 b", "3 d"], "the newest version of each entry");
      assertSame(await after(1), ["2 A", "3 b", "3 d"], "entries of later revisions");
      assertSame(await after(1, "a"), ["1 c", "2 A", "3 b", "3 d"], "entries after an id");
      assertSame(await after(1, "b"), ["1 c", "2 A", "3 b", "3 d"], "entries after an id that was written again");
      assertSame(await after(3), [], "entries after the last revision");
      assertSame(await after(3, "b"), ["3 d"], "the last");
      assertSame(await after(0, undefined, 2), ["1 a", "1 c"], "the first two");
      assertSame(await after(0, undefined, 0), [], "none");
    },
  ],
  [
    "pages of entries miss none while others are written",
    async (store, space) => {
      const ids = Array.from({ length: 250 }, (_, i) => `e${(i * 7) % 250}`);
      await commitEntries(store, space, 0, ids);
      const read = new Set<string>();
      let after: { readonly revision: number; readonly id?: string } = { revision: 0 };
      for (let revision = 1; ; revision += 1) {
        const page = await store.list(space, "entries", { after, limit: 40 });
        for (const { id } of page) read.add(id);
        const last = page.at(-1);
        if (last === undefined) break;
        after = { revision: last.revision, id: last.id };
        if (revision < 4) await commitEntries(store, space, revision, [`new ${revision}`, "e0", "e249"]);
      }
      assertSame(read.size, 253, "the number of entries that were read");
      const all = await store.list(space, "entries", { limit: 1000 });
      assertSame(after, { revision: all.at(-1)?.revision, id: all.at(-1)?.id }, "the last");
    },
  ],
  [
    "entries are read by id, in their last version",
    async (store, space) => {
      await commitEntries(store, space, 0, ["b", "a", "c"]);
      await store.commit(space, { revision: 1, entries: [entry("b", undefined, [9])] });
      const found = await store.get(space, "entries", ["c", "none", "b", "c"]);
      const c = { ...entry("c", "words"), revision: 1 };
      const wanted = [c, { ...entry("b", undefined, [9]), revision: 2 }, c];
      assertSame(found, wanted, "existing entries, in the order of the ids");
      assertSame(await store.get(space, "entries", []), [], "entries of no ids");
    },
  ],
  [
    "entries without a vector of an embedder are listed page by page",
    async (store, space) => {
      const entries = [entry("a"), entry("b", "old"), entry("c", "new"), entry("d", "New"), entry("", "old")];
      await store.commit(space, { revision: 0, entries });
      const without = async (embedder: string, afterId = "", limit = 10) =>
        (await store.list(space, "entries", { withoutVectorOf: embedder, afterId, limit })).map(({ id }) => id);
      const all = await store.list(space, "entries", { withoutVectorOf: "new" });
      assertSame(
        all.map(({ id }) => id),
        ["", "a", "b", "d"],
        "all without a vector",
      );
      assertSame(await without("new"), ["a", "b", "d"], "entries without a vector, after an id");
      assertSame(await without("new", "a", 1), ["b"], "the next");
      assertSame(await without("new", "d"), [], "entries after the last one");
      assertSame(await without("none"), ["a", "b", "c", "d"], "entries without a vector of an unknown embedder");
      assertSame(await without("new", "", 0), [], "none");
      const again = await store.list(space, "entries", { withoutVectorOf: "new", afterId: "", limit: 2 });
      const stored = [entry("a"), entry("b", "old")].map((one) => ({ ...one, revision: 1 }));
      assertSame(again, stored, "the entries without a vector");
      await store.commit(space, { revision: 1, entries: again.map(({ id }) => entry(id, "new")) });
      assertSame(await without("new"), ["d"], "entries without a vector after two got one");
    },
  ],
];

async function commitEntries(store: MemoryStore, space: string, revision: number, ids: string[]): Promise<void> {
  await store.commit(space, { revision, entries: ids.map((id) => entry(id, "words")) });
}

function placesOf(entries: readonly StoredSearchEntry[]): string[] {
  return entries.map(({ revision, id }) => `${revision} ${id}`);
}
