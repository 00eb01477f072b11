import type { ContradictionFilter, MemoryStore } from "../../ports/memory-store.ts";
import { assert, assertSame, eventually, type MemoryFact } from "../conformance.ts";
import {
  change,
  contradiction,
  entry,
  fullMemory,
  fullTurn,
  HARD_TEXT,
  journalEntry,
  memory,
  noise,
  turn,
  turnChange,
} from "../samples.ts";

/** Ids that a store may confuse by case, normalization, encoding or NUL. */
const HARD_IDS = ["\0", "\0\0", "\\u0000", "\ud800", "\udc00", "\ufffd", "__proto__", "A", "a", "ä", "a\u0308", ""];

export const MEMORY_CONTENT_FACTS: readonly MemoryFact[] = [
  ["items of every kind round-trip", (store, space) => roundTrip(store, space, "id", "plain")],
  [
    "any text round-trips in every field of a memory and a turn, and in the name of a space",
    (store, space) => roundTrip(store, space + HARD_TEXT, HARD_TEXT, HARD_TEXT),
  ],
  ["empty texts round-trip", (store, space) => roundTrip(store, space, "", "")],
  [
    "long texts round-trip, compressible or not",
    async (store, space) => {
      const texts = ["x".repeat(70_000), noise(100_000), "東京 \0 \ud83d".repeat(10_000)];
      const memories = texts.map((text, i) =>
        memory(`m${i}`, { levels: { full: text, summary: text, compressed: text, index: text }, aliases: [text] }),
      );
      const turns = texts.map((text, i) => turn(`t${i}`, "s", i, { text }));
      const changes = memories.map((before) => ({ kind: "memory", id: before.id, before, after: "" }) as const);
      const handles = texts.map((text) => ({ slot: text, fingerprint: text }));
      await store.commit(space, {
        revision: 0,
        memories: memories.map((one, i) => ({ memory: one, slot: texts[i] ?? "", fingerprint: texts[i] ?? "" })),
        turns,
        journal: [journalEntry("j", changes)],
      });
      assertSame(await store.list(space, "memories"), memories, "the memories");
      assertSame(await store.list(space, "turns", { sessionId: "s" }), turns, "the turns");
      assertSame(await store.list(space, "journal", { limit: 1 }), [journalEntry("j", changes)], "the journal");
      for (const [i, { slot, fingerprint }] of handles.entries()) {
        assertSame(
          await store.list(space, "memories", { current: true, matchAny: { slots: [slot], fingerprints: [""] } }),
          [memories[i]],
          `the memory of long slot ${i}`,
        );
        assertSame(
          await store.list(space, "memories", { current: true, matchAny: { slots: [], fingerprints: [fingerprint] } }),
          [memories[i]],
          `the memory of long fingerprint ${i}`,
        );
        assertSame(
          await store.list(space, "memories", {
            current: true,
            matchAny: { slots: [`${slot}.`], fingerprints: [`${slot}.`] },
          }),
          [],
          "memories of a slot that is one character longer",
        );
      }
    },
  ],
  [
    "similar ids, slots and fingerprints are distinguished",
    async (store, space) => {
      const memories = HARD_IDS.map((id) => ({ memory: memory(id), slot: `slot ${id}`, fingerprint: id }));
      const turns = HARD_IDS.map((id) => turn(id, id, 0));
      await store.commit(space, { revision: 0, memories, turns });
      assertSame((await store.list(space, "memories")).length, HARD_IDS.length, "the number of memories");
      for (const id of HARD_IDS) {
        assertSame(await store.get(space, "memories", [id]), [memory(id)], `the memory ${JSON.stringify(id)}`);
        assertSame(
          await store.list(space, "memories", {
            current: true,
            matchAny: { slots: [`slot ${id}`], fingerprints: ["none"] },
          }),
          [memory(id)],
          "the memory of its slot",
        );
        assertSame(
          await store.list(space, "memories", { current: true, matchAny: { slots: [], fingerprints: [id] } }),
          [memory(id)],
          "the memory of its fingerprint",
        );
        assertSame(await store.list(space, "turns", { sessionId: id }), [turn(id, id, 0)], "the turn of its session");
      }
    },
  ],
  [
    "bytes of every value round-trip, and empty ones too",
    async (store, space) => {
      const bytes = Array.from({ length: 512 }, (_, i) => i % 256);
      const large = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256);
      const entries = [
        { ...entry("a", HARD_TEXT, bytes), vector: large },
        { ...entry("b", "words", []), vector: new Uint8Array() },
        { id: "c", entry: large.subarray(5, 9) },
      ];
      await store.commit(space, { revision: 0, entries });
      const stored = entries.map((one) => ({ ...one, revision: 1 }));
      assertSame(await store.list(space, "entries", { limit: 9 }), stored, "the entries");
      assertSame(
        await store.list(space, "entries", { withoutVectorOf: "none", limit: 9 }),
        stored,
        "the entries by id",
      );
    },
  ],
  [
    "changing a given or returned item does not change the stored one",
    async (store, space) => {
      const given = { id: "m", entry: Uint8Array.of(1), embedder: "words", vector: Uint8Array.of(2) };
      const aliases = ["k8s"];
      await store.commit(space, {
        revision: 0,
        memories: [{ memory: memory("m", { aliases }), fingerprint: "f" }],
        entries: [given],
      });
      aliases.push("later");
      given.entry[0] = 9;
      const [read] = await store.list(space, "entries", { limit: 1 });
      assertSame(read, { ...entry("m", "words", [1]), vector: Uint8Array.of(2), revision: 1 }, "the entry");
      read?.vector?.fill(9);
      const [again] = await store.list(space, "entries", { limit: 1 });
      assertSame(again?.vector, Uint8Array.of(2), "the vector");
      assertSame(await store.list(space, "memories"), [memory("m", { aliases: ["k8s"] })], "the memory");
    },
  ],
  [
    "items that were read do not change with later writes",
    async (store, space) => {
      const read = async () => [await store.list(space, "memories"), await store.list(space, "journal", { limit: 9 })];
      const write = (revision: number, id: string) =>
        store.commit(space, {
          revision,
          memories: [{ memory: memory("m", { mentions: revision }), fingerprint: "f" }],
          journal: [journalEntry(id)],
        });
      await write(0, "first");
      const before = await read();
      await write(1, "second");
      await store.record(space, { uses: { ids: ["m"], use: "cited", at: 1 } });
      assertSame(before, [[memory("m", { mentions: 0 })], [journalEntry("first")]], "the items that were read");
      assert(
        (await store.list(space, "memories")).every(({ mentions }) => mentions === 1),
        "the stored memory has changed",
      );
    },
  ],
];

async function roundTrip(store: MemoryStore, space: string, id: string, text: string): Promise<void> {
  const kept = fullMemory(id, text);
  const said = fullTurn(id, text);
  const open = contradiction("c1", id, text, { reason: text });
  const resolved = { status: "resolved", resolvedAt: 1.5, resolution: "both_valid", note: text } as const;
  const settled = contradiction(`c2${id}`, text, id, { detectedAt: 2 ** 52, ...resolved });
  const entryOfJournal = {
    ...journalEntry(id, [
      { kind: "memory", id, before: kept, after: text },
      { kind: "contradiction", id: "c1", before: settled, after: "" },
      { kind: "memory", id: text, after: text },
    ]),
    action: text,
    undoes: text,
  };
  await store.commit(space, {
    revision: 0,
    memories: [{ memory: kept, slot: text, fingerprint: text }],
    turns: [said],
    entries: [entry(id, text)],
    contradictions: [open, settled],
    journal: [entryOfJournal],
  });
  await store.record(space, { judgements: [{ key: text, memoryIds: [id, text], contradicts: true }] });
  assertSame(await store.get(space, "memories", [id]), [kept], "the memory by id");
  assertSame(
    await store.list(space, "memories", { sessionId: text, matchAny: { slots: [text] }, categorized: true }),
    [kept],
    "the memory in a list",
  );
  assertSame(await store.get(space, "turns", [id]), [said], "the turn by id");
  assertSame(await store.list(space, "turns", { sessionId: text }), [said], "the turn by its session");
  assertSame((await store.list(space, "turns", { sessionId: text })).length, 1, "the number of turns");
  assertSame(await store.list(space, "entries", { limit: 9 }), [{ ...entry(id, text), revision: 1 }], "the entry");
  assertSame(await store.list(space, "entries", { withoutVectorOf: text, limit: 9 }), [], "entries without a vector");
  assertSame(await store.list(space, "contradictions"), [open, settled], "the contradictions");
  assertSame(
    await store.list(space, "contradictions", { of: [id] }),
    [open, settled],
    "the contradictions of the memory",
  );
  assertSame(await store.get(space, "journal", [id]), [entryOfJournal], "the journal");
  assertSame((await store.get(space, "judgements", [text]))[0]?.contradicts, true, "the judgement");
  assert((await store.spaces()).includes(space), "the space is listed");
}

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
