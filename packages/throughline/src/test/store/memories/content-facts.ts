import type { MemoryStore } from "../../../ports/memory-store.ts";
import { assert, assertSame } from "../../assert.ts";
import { contradiction, entry, fullMemory, fullTurn, journalEntry, memory, turn } from "../../memory-samples.ts";
import { HARD_TEXT, noise } from "../../samples.ts";
import type { MemoryFact } from "../../store-check.ts";

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
