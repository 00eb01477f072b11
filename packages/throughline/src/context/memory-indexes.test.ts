import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { openBeside } from "../memory/open-memory.fixture.ts";
import { anyAct, CALLERS, World } from "../memory/world.arbitrary.ts";
import { QUIET } from "../ports/logger.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Store } from "../ports/store.ts";
import { type MemoryIndex, MemoryIndexes } from "./memory-index.ts";
import type { EntryStores } from "./memory-index-entry.ts";
import { openContext } from "./open-context.fixture.ts";
import type { Role } from "./tiers/read-roles.ts";

const ROLES: Role[] = [
  "decision",
  "convention",
  "error",
  "fix",
  "preference",
  "open-question",
  "episode",
  "pattern",
  "workflow",
];
const FOR_ADA = { userId: "ada", projectId: "shop" };

const storesOf = ({ memories, blobs }: Store) => ({ memoryStore: memories, blobs, logger: QUIET });

/** All that can be asked of a memory index. */
function contentOf(memoryIndex: MemoryIndex, ids: readonly string[]) {
  return {
    entries: ids.map((id) => memoryIndex.get(id)),
    newest: ROLES.map((role) => memoryIndex.newest(role).map(({ id }) => id)),
    latest: ROLES.map((role) => memoryIndex.latest(role).map(({ id }) => id)),
    topics: memoryIndex.topics(),
    contradictions: memoryIndex.contradictions.map(({ id }) => id).sort(),
    size: memoryIndex.size,
  };
}

describe("an episode of a session without a project", () => {
  it("is in the context of a project only if a question asks for it", async () => {
    const opened = await openContext();
    const { memory } = await openBeside(opened, { userId: "ada" });
    const text = "Paint the garden fence (2024-10-04)\nOutcome: Done.";
    await memory.remember({ kind: "episode", title: "Paint the fence", text, source: { sessionId: "s1" } });
    const { context } = opened.throughline;
    expect((await context.assemble()).context).toBe("");
    expect((await context.assemble({ message: "Who painted the garden fence?" })).context).toContain("garden fence");
    const { throughline } = await openBeside(opened, { userId: "ada" });
    expect((await throughline.context.assemble()).context).toContain("garden fence");
  });
});

describe("memoryIndexes", () => {
  it("equal a fresh index after any changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAct, { minLength: 1, maxLength: 25 }),
        fc.nat(CALLERS.length - 1),
        async (acts, who) => {
          const world = await World.open();
          const { userId, ...visit } = CALLERS[who] as { userId: string; projectId?: string };
          const visitor = { userId, projectId: visit.projectId };
          const kept = new MemoryIndexes(storesOf(world.store), visitor);
          for (const act of acts) {
            await world.attempt(act);
            const { memoryIndexes, revision } = await kept.open();
            const fresh = await new MemoryIndexes(storesOf(world.store), visitor).open();
            const ids = (await world.visitor(who).memory.list({ all: true, limit: 1_000 })).map(({ id }) => id);
            expect(memoryIndexes.map((one) => contentOf(one, ids))).toEqual(
              fresh.memoryIndexes.map((one) => contentOf(one, ids)),
            );
            expect(revision).toBe(fresh.revision);
          }
        },
      ),
      { numRuns: cases(30) },
    );
  });

  it("contain exactly the current memories that are visible to the user", async () => {
    const { memory, store, clock } = await openContext();
    const { memory: kept } = await memory.remember({ text: "The team decided to use Redis." });
    const { memory: old } = await memory.remember({ text: "The team decided to use Kafka." });
    await memory.update(old.id, { validTo: clock.now() });
    const blog = await openContext({ userId: "ada", projectId: "blog", store, clock });
    const { memory: foreign } = await blog.memory.remember({ text: "The team decided to use Hugo." });
    const { memoryIndexes } = await new MemoryIndexes(storesOf(store), FOR_ADA).open();
    const [own] = memoryIndexes;
    expect([kept, old, foreign].map(({ id }) => own?.get(id) !== undefined)).toEqual([true, false, false]);
  });

  it("read only changed memories", async () => {
    const { memory, store } = await openContext();
    for (let n = 0; n < 30; n += 1) await memory.remember({ text: `The ${n}th rule: never run step-${n}.` });
    const read: string[] = [];
    const memoryStore: MemoryStore = {
      ...store.memories,
      list: (space, collection, filter) => {
        if (collection === "memories") read.push("all");
        return store.memories.list(space, collection, filter);
      },
      get: (space, collection, ids) => {
        if (collection === "memories") read.push(...ids.map(() => "one"));
        return store.memories.get(space, collection, ids);
      },
    };
    const memoryIndexes = new MemoryIndexes({ ...storesOf(store), memoryStore }, FOR_ADA);
    await memoryIndexes.open();
    read.length = 0;
    await memoryIndexes.open();
    expect(read).toEqual([]);
    await memory.remember({ text: "Every deploy needs a second pair of eyes." });
    await memory.ingest({ sessionId: "s", messages: [{ role: "user", text: "Good morning!" }] });
    const { memoryIndexes: after } = await memoryIndexes.open();
    expect(read).toEqual(["one"]);
    expect(after[0]?.size).toBe(31);
  });
});

describe("the stored entries of a large space", () => {
  /** A store with many memories, of which some are gone and two projects have some. */
  async function openLarge() {
    const opened = await openContext();
    const blog = await openContext({ userId: "ada", projectId: "blog", store: opened.store, clock: opened.clock });
    const ids: string[] = [];
    for (let n = 0; n < 220; n += 1) {
      const { memory } = n % 20 === 0 ? blog : opened;
      const text = n % 3 === 0 ? `We decided to keep src/part-${n}.ts.` : `The part-${n} costs ${n} euros.`;
      ids.push((await memory.remember({ text, pinned: n % 50 === 0 })).memory.id);
    }
    await opened.memory.forget(ids[1] as string);
    return { ...opened, ids, own: ids.filter((_, n) => n % 20 !== 0) };
  }

  async function contents(stores: EntryStores, ids: readonly string[]) {
    const { memoryIndexes } = await new MemoryIndexes(stores, FOR_ADA).open();
    return memoryIndexes.map((one) => contentOf(one, ids));
  }

  it("are reused by the next process with later changes, and erased by a purge", async () => {
    const { store, memory, ids, own, clock } = await openLarge();
    const space = "user:ada";
    const withoutBlobs = { ...storesOf(store), blobs: undefined };
    const namesOf = () => store.blobs.list(space, "context/");
    expect(await contents(storesOf(store), ids)).toEqual(await contents(withoutBlobs, ids));
    expect(await namesOf()).toHaveLength(1);

    const { memory: added } = await memory.remember({ text: "We decided to use Redis." });
    await memory.update(own[5] as string, { validTo: clock.now() });
    await memory.update(own[7] as string, { pinned: true });
    let isAllRead = false;
    const memoryStore: MemoryStore = {
      ...store.memories,
      list: (where, collection, filter) => {
        isAllRead ||= collection === "memories" && where === space;
        return store.memories.list(where, collection, filter);
      },
    };
    const after = await contents({ ...storesOf(store), memoryStore }, [...ids, added.id]);
    expect(after).toEqual(await contents(withoutBlobs, [...ids, added.id]));
    expect(isAllRead).toBe(false);

    await memory.purge(own[9] as string);
    expect(await namesOf()).toEqual([]);
    expect(await contents(storesOf(store), ids)).toEqual(await contents(withoutBlobs, ids));
    expect(await namesOf()).toHaveLength(1);
  });
});
