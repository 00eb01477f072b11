import type { MemoryStore } from "../../ports/memory-store.ts";
import { assert, assertSame, type MemoryFact } from "../conformance.ts";
import { change, contradiction, entry, journalEntry, storedMemory, turn } from "../samples.ts";

const LONG = 600_000;
const UNUSED = { retrieved: 0, cited: 0, ignored: 0 };

export const MEMORY_SPACE_FACTS: readonly MemoryFact[] = [
  ["another space sees nothing of a space and changes nothing in it", isolated((space) => `${space}2`)],
  ["names of spaces are case-sensitive", isolated((space) => space.toUpperCase())],
  ["the prefix of a space's name is another space", isolated((space) => space.slice(0, -1))],
  ["a space's name with a trailing NUL is another space", isolated((space) => `${space}\0`)],
  [
    "names of spaces with wildcards, quotes or NUL are compared literally",
    async (store, space) => {
      await fill(store, space);
      const before = await snapshot(store, space);
      for (const sign of ["%", "_", "*", "' OR '1'='1", '" OR ""="', "\0", "\\"]) {
        for (const stranger of [sign, space + sign, sign + space]) {
          assertSame(await store.list(stranger, "memories"), [], `the memories of ${stranger}`);
          await store.erase(stranger, { memories: ["m", sign, space + sign], turns: ["t"] });
        }
      }
      await store.erase(space, { memories: ["%", "_", "' OR '1'='1"], turns: ["%"] });
      const after = await snapshot(store, space);
      assertSame({ ...after, head: before.head }, before, "the space");
    },
  ],
  [
    "memories and sessions are counted by project",
    async (store, space) => {
      assertSame(await store.list(space, "projects"), [], "the projects of an empty space");
      await store.commit(space, {
        revision: 0,
        memories: [
          storedMemory("a", { lastSeenAt: 5 }),
          storedMemory("b", { projectId: "shop", lastSeenAt: 7 }),
          storedMemory("c", { projectId: "shop", lastSeenAt: 3, archivedAt: 9 }),
          storedMemory("d", { projectId: "shop", lastSeenAt: 3, validTo: 4 }),
          storedMemory("e", { projectId: "Shop\0", lastSeenAt: 2, usage: { ...UNUSED, lastAccessedAt: 11 } }),
        ],
        turns: [
          turn("t1", "s1", 0, { projectId: "shop", at: 8 }),
          turn("t2", "s1", 1, { projectId: "shop", at: 6 }),
          turn("t3", "s2", 0, { projectId: "shop", at: 1 }),
          turn("t4", "s3", 0, { projectId: "blog", createdAt: 12 }),
        ],
      });
      const counts = [
        { memories: 1, current: 1, lastUsedAt: 5, sessions: 0 },
        { projectId: "Shop\0", memories: 1, current: 1, lastUsedAt: 11, sessions: 0 },
        { projectId: "blog", memories: 0, current: 0, lastUsedAt: 12, sessions: 1 },
        { projectId: "shop", memories: 3, current: 1, lastUsedAt: 8, sessions: 2 },
      ];
      assertSame(await store.list(space, "projects"), counts, "the projects");
    },
  ],
  [
    "spaces with a commit are listed by name, page by page",
    async (store, space) => {
      const names = ["b", "a", "B", "", "c-1", "c"].map((name) => space + name);
      for (const name of names) await store.commit(name, { revision: 0 });
      await store.lease(`${space}leased`, "work", "me", LONG);
      await store.record(`${space}judged`, { judgements: [{ key: "k", memoryIds: ["m"], contradicts: true }] });
      await store.record(`${space}used`, { uses: { ids: ["m"], use: "cited", at: 1 } });
      // Other tests may use the same database.
      const own = async (page?: { after?: string; limit?: number }) =>
        (await store.spaces(page)).filter((name) => name.startsWith(space)).map((name) => name.slice(space.length));
      assertSame(await own(), ["", "B", "a", "b", "c", "c-1"], "all");
      assertSame(await own({ after: space, limit: 3 }), ["B", "a", "b"], "the next three");
      assertSame(await own({ after: `${space}bb`, limit: 1 }), ["c"], "the space after an unknown name");
      assertSame(await store.spaces({ limit: 0 }), [], "none");
    },
  ],
];

/** Fills a space, then checks every method on another one (the stranger). */
function isolated(strangerOf: (space: string) => string): MemoryFact[1] {
  return async (store, space) => {
    const stranger = strangerOf(space);
    await fill(store, space);
    const before = await snapshot(store, space);
    await seesNothing(store, stranger);
    assertSame(await snapshot(store, space), before, "the space after reads from another space");
    assertSame(await store.commit(stranger, { revision: 1 }), false, "a commit on the other's revision");
    const mine = { memories: [storedMemory("m", { mentions: 9 })], turns: [turn("t", "s", 7)] };
    assert(
      await store.commit(stranger, { revision: 0, ...mine, entries: [entry("m")], journal: [journalEntry("j")] }),
      "the same ids are free in another space",
    );
    await store.record(stranger, { uses: { ids: ["m", "m2"], use: "cited", at: 1 } });
    await store.record(stranger, { judgements: [{ key: "k", memoryIds: ["m"], contradicts: false }] });
    assert(await store.lease(stranger, "work", "stranger", LONG), "another space has a lease of its own");
    await store.lease(stranger, "work", "holder", 0);
    assertSame(await snapshot(store, space), before, "the space after a write to another space");
    await store.erase(stranger, { memories: ["m", "m2"], turns: ["t"] });
    assertSame(await snapshot(store, space), before, "the space after an erasure in another space");
    assertSame(await store.list(stranger, "memories"), [], "the memories of the other space");
    assert(!(await store.lease(space, "work", "stranger", LONG)), "the lease is still held");
  };
}

async function fill(store: MemoryStore, space: string): Promise<void> {
  await store.commit(space, {
    revision: 0,
    memories: [
      storedMemory("m", { links: ["m2"], supersedes: "m2", artifacts: [{ type: "pr", ref: "1" }] }, { slot: "slot" }),
      storedMemory("m2"),
    ],
    turns: [turn("t", "s", 0)],
    entries: [entry("m", "words"), entry("t")],
    contradictions: [contradiction("c", "m", "m2")],
    journal: [journalEntry("j", [change("m")])],
  });
  await store.record(space, { judgements: [{ key: "k", memoryIds: ["m", "m2"], contradicts: true }] });
  await store.lease(space, "work", "holder", LONG);
}

async function snapshot(store: MemoryStore, space: string) {
  return {
    head: await store.head(space),
    memories: await store.list(space, "memories"),
    byId: await store.get(space, "memories", ["m", "m2"]),
    related: await store.list(space, "memories", {
      current: true,
      matchAny: { slots: ["slot"], fingerprints: ["words of m2"] },
    }),
    turns: await store.list(space, "turns", { sessionId: "s" }),
    entries: await store.list(space, "entries", { limit: 10 }),
    contradictions: await store.list(space, "contradictions"),
    journal: await store.list(space, "journal", { limit: 10 }),
    judgement: (await store.get(space, "judgements", ["k"]))[0]?.contradicts,
  };
}

async function seesNothing(store: MemoryStore, stranger: string): Promise<void> {
  assertSame(await store.head(stranger), { revision: 0, epoch: 0 }, "another space's head");
  assertSame(await store.list(stranger, "memories"), [], "memories");
  assertSame(await store.list(stranger, "memories", { matchAny: { slots: ["slot"] } }), [], "memories of a slot");
  assertSame(await store.get(stranger, "memories", ["m", "m2"]), [], "memories by id");
  assertSame(
    await store.list(stranger, "memories", {
      current: true,
      matchAny: { slots: ["slot"], fingerprints: ["words of m2"] },
    }),
    [],
    "related memories",
  );
  assertSame(await store.get(stranger, "turns", ["t"]), [], "turns");
  assertSame(await store.list(stranger, "turns", { sessionId: "s" }), [], "turns of a session");
  assertSame((await store.list(stranger, "turns", { sessionId: "s" })).length, 0, "the number of turns");
  assertSame(await store.list(stranger, "entries", { limit: 10 }), [], "entries");
  assertSame(
    await store.list(stranger, "entries", { withoutVectorOf: "none", limit: 10 }),
    [],
    "entries without a vector",
  );
  assertSame(await store.list(stranger, "contradictions"), [], "contradictions");
  assertSame(await store.list(stranger, "contradictions", { of: ["m"] }), [], "contradictions of a memory");
  assertSame(await store.list(stranger, "journal", { limit: 10 }), [], "the journal");
  assertSame(await store.get(stranger, "journal", ["j"]), [], "the journal by id");
  assertSame((await store.get(stranger, "judgements", ["k"]))[0]?.contradicts, undefined, "a judgement");
}
