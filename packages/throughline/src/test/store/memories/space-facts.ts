import type { MemoryStore } from "../../../ports/memory-store.ts";
import { assert, assertSame } from "../../assert.ts";
import { change, contradiction, entry, journalEntry, shelved, turn } from "../../memory-samples.ts";
import type { MemoryFact } from "../../store-check.ts";

const LONG = 600_000;

export const MEMORY_SPACE_FACTS: readonly MemoryFact[] = [
  ["another space sees nothing of a space and changes nothing in it", isolated((space) => `${space}2`)],
  ["a space whose name differs in case only is another", isolated((space) => space.toUpperCase())],
  ["a space whose name begins another's is another", isolated((space) => space.slice(0, -1))],
  ["a space whose name ends in what a database cannot keep is another", isolated((space) => `${space}\0`)],
  [
    "a space's name with signs that mean something to a database means itself",
    async (shelf, space) => {
      await fill(shelf, space);
      const before = await snapshot(shelf, space);
      for (const sign of ["%", "_", "*", "' OR '1'='1", '" OR ""="', "\0", "\\"]) {
        for (const stranger of [sign, space + sign, sign + space]) {
          assertSame(await shelf.list(stranger), [], `the memories of ${stranger}`);
          await shelf.erase(stranger, { memories: ["m", sign, space + sign], turns: ["t"] });
        }
      }
      await shelf.erase(space, { memories: ["%", "_", "' OR '1'='1"], turns: ["%"] });
      const after = await snapshot(shelf, space);
      assertSame({ ...after, head: before.head }, before, "the space");
    },
  ],
  [
    "spaces that something was committed to are listed by name, page by page",
    async (shelf, space) => {
      const names = ["b", "a", "B", "", "c-1", "c"].map((name) => space + name);
      for (const name of names) await shelf.commit(name, { revision: 0 });
      await shelf.acquire(`${space}leased`, "work", "me", LONG);
      await shelf.keepJudgement(`${space}judged`, { key: "k", memoryIds: ["m"], contradicts: true });
      await shelf.countUse(`${space}used`, ["m"], "cited", 1);
      // Others may be there too.
      const own = async (page?: { after?: string; limit?: number }) =>
        (await shelf.spaces(page)).filter((name) => name.startsWith(space)).map((name) => name.slice(space.length));
      assertSame(await own(), ["", "B", "a", "b", "c", "c-1"], "all");
      assertSame(await own({ after: space, limit: 3 }), ["B", "a", "b"], "the next three");
      assertSame(await own({ after: `${space}bb`, limit: 1 }), ["c"], "the one behind a name that is not there");
      assertSame(await shelf.spaces({ limit: 0 }), [], "none");
    },
  ],
];

/** Calls every method on another space than one that is full. */
function isolated(strangerOf: (space: string) => string): MemoryFact[1] {
  return async (shelf, space) => {
    const stranger = strangerOf(space);
    await fill(shelf, space);
    const before = await snapshot(shelf, space);
    await seesNothing(shelf, stranger);
    assertSame(await snapshot(shelf, space), before, "the space after it was looked for");
    assertSame(await shelf.commit(stranger, { revision: 1 }), false, "a commit on the other's revision");
    const mine = { memories: [shelved("m", { mentions: 9 })], turns: [turn("t", "s", 7)] };
    assert(
      await shelf.commit(stranger, { revision: 0, ...mine, entries: [entry("m")], journal: [journalEntry("j")] }),
      "the same ids are free in another space",
    );
    await shelf.countUse(stranger, ["m", "m2"], "cited", 1);
    await shelf.keepJudgement(stranger, { key: "k", memoryIds: ["m"], contradicts: false });
    assert(await shelf.acquire(stranger, "work", "stranger", LONG), "another space has a lease of its own");
    await shelf.release(stranger, "work", "holder");
    assertSame(await snapshot(shelf, space), before, "the space after somebody wrote to another");
    await shelf.erase(stranger, { memories: ["m", "m2"], turns: ["t"] });
    assertSame(await snapshot(shelf, space), before, "the space after somebody erased in another");
    assertSame(await shelf.list(stranger), [], "what was erased there");
    assert(!(await shelf.acquire(space, "work", "stranger", LONG)), "the lease is still held");
  };
}

async function fill(shelf: MemoryStore, space: string): Promise<void> {
  await shelf.commit(space, {
    revision: 0,
    memories: [
      shelved("m", { links: ["m2"], supersedes: "m2", artifacts: [{ type: "pr", ref: "1" }] }, { slot: "slot" }),
      shelved("m2"),
    ],
    turns: [turn("t", "s", 0)],
    entries: [entry("m", "words"), entry("t")],
    contradictions: [contradiction("c", "m", "m2")],
    journal: [journalEntry("j", [change("m")])],
  });
  await shelf.keepJudgement(space, { key: "k", memoryIds: ["m", "m2"], contradicts: true });
  await shelf.acquire(space, "work", "holder", LONG);
}

async function snapshot(shelf: MemoryStore, space: string) {
  return {
    head: await shelf.head(space),
    memories: await shelf.list(space),
    byId: await shelf.memories(space, ["m", "m2"]),
    related: await shelf.related(space, ["slot"], "words of m2"),
    turns: await shelf.turnsOf(space, "s"),
    entries: await shelf.entries(space, { revision: 0 }, 10),
    contradictions: await shelf.contradictions(space),
    journal: await shelf.journal(space, { limit: 10 }),
    judgement: await shelf.judgement(space, "k"),
  };
}

async function seesNothing(shelf: MemoryStore, stranger: string): Promise<void> {
  assertSame(await shelf.head(stranger), { revision: 0, epoch: 0 }, "another space's head");
  assertSame(await shelf.list(stranger), [], "memories");
  assertSame(await shelf.list(stranger, { slot: "slot" }), [], "memories of a slot");
  assertSame(await shelf.memories(stranger, ["m", "m2"]), [], "memories by id");
  assertSame(await shelf.related(stranger, ["slot"], "words of m2"), [], "related memories");
  assertSame(await shelf.turns(stranger, ["t"]), [], "turns");
  assertSame(await shelf.turnsOf(stranger, "s"), [], "turns of a session");
  assertSame(await shelf.countTurns(stranger, "s"), 0, "the number of turns");
  assertSame(await shelf.entries(stranger, { revision: 0 }, 10), [], "entries");
  assertSame(await shelf.entriesWithout(stranger, "none", "", 10), [], "entries without a vector");
  assertSame(await shelf.contradictions(stranger), [], "contradictions");
  assertSame(await shelf.contradictions(stranger, { of: ["m"] }), [], "contradictions of a memory");
  assertSame(await shelf.journal(stranger, { limit: 10 }), [], "the journal");
  assertSame(await shelf.journal(stranger, { ids: ["j"] }), [], "the journal by id");
  assertSame(await shelf.judgement(stranger, "k"), undefined, "a judgement");
}
