import { describe, expect, it } from "vitest";
import type { Model } from "../../ports/model.ts";
import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import type { IngestMessage } from "./memory-api.ts";
import { type OpenOptions, openMemory, StandingClock, textsOf } from "./open-memory.arbitrary.ts";

const SPACE = "user:local";
const said = (id: string, text: string): IngestMessage => ({ id, role: "user", text });
const FIRST = [
  said("a", "I live in Rome. I love tea."),
  said("b", "My name is Ada."),
  { role: "assistant", text: "Hello!", id: "c" },
];
const LATER = [said("d", "I love jazz.")];

/** A store of which everything that is written fails from one point on, as if the process had been killed there. */
function mortalStore(clock: StandingClock) {
  const store = inProcessStore(clock);
  const { memories } = store;
  let left = Number.POSITIVE_INFINITY;
  const live = <T>(write: () => Promise<T>): Promise<T> => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error("killed")) : write();
  };
  const mortal: Store = {
    ...store,
    memories: {
      ...memories,
      commit: (space, commit) => live(() => memories.commit(space, commit)),
      erase: (space, erasure) => live(() => memories.erase(space, erasure)),
    },
  };
  return {
    store: mortal,
    dieAfter(writes: number) {
      left = writes;
    },
  };
}

async function openMortal(options: OpenOptions = {}) {
  const clock = new StandingClock();
  const { store, dieAfter } = mortalStore(clock);
  return { ...(await openMemory({ ...options, store, clock })), dieAfter };
}

async function factsOf({ memory }: Awaited<ReturnType<typeof openMemory>>): Promise<string[]> {
  return (await memory.list()).map(({ levels, mentions }) => `${levels.full} ${mentions}`).sort();
}

async function uninterrupted(...parts: (readonly IngestMessage[])[]): Promise<string[]> {
  const open = await openMemory();
  for (const messages of parts) await open.memory.ingest({ sessionId: "s", messages });
  return factsOf(open);
}

describe("an ingest that is killed between what it writes", () => {
  it("is gone on with by whoever ingests the same messages again, each fact once", async () => {
    const wanted = await uninterrupted(FIRST);
    expect(wanted).toHaveLength(3);
    for (let writes = 0; writes <= 4; writes += 1) {
      const open = await openMortal();
      open.dieAfter(writes);
      const first = open.memory.ingest({ sessionId: "s", messages: FIRST });
      if (writes < 4) await expect(first).rejects.toThrow("killed");
      open.dieAfter(Number.POSITIVE_INFINITY);
      await open.memory.ingest({ sessionId: "s", messages: FIRST });
      expect(await factsOf(open)).toEqual(wanted);
      expect(await open.store.memories.turnsOf(SPACE, "s")).toHaveLength(3);
      await open.memory.ingest({ sessionId: "s", messages: FIRST });
      expect(await factsOf(open)).toEqual(wanted);
    }
  });

  it("is gone on with by whoever ingests what came later", async () => {
    const wanted = await uninterrupted(FIRST, LATER);
    for (let writes = 1; writes < 4; writes += 1) {
      const open = await openMortal();
      open.dieAfter(writes);
      await expect(open.memory.ingest({ sessionId: "s", messages: FIRST })).rejects.toThrow("killed");
      open.dieAfter(Number.POSITIVE_INFINITY);
      const { turns, memories } = await open.memory.ingest({ sessionId: "s", messages: LATER });
      expect(turns).toEqual(["d"]);
      expect(memories.map(({ outcome }) => outcome)).toEqual(Array(5 - writes).fill("added"));
      expect(await factsOf(open)).toEqual(wanted);
    }
  });

  it("does not ask the model again for what it found", async () => {
    let asked = 0;
    const fact = { fact: "User lives in Rome", category: "identity", confidence: "high", quote: "I live in Rome" };
    const model: Model = {
      modelId: "m",
      async generate() {
        asked += 1;
        return { text: JSON.stringify([fact]) };
      },
    };
    const open = await openMortal({ model });
    open.dieAfter(1);
    await expect(open.memory.ingest({ sessionId: "s", messages: FIRST })).rejects.toThrow("killed");
    open.dieAfter(Number.POSITIVE_INFINITY);
    await open.memory.ingest({ sessionId: "s", messages: FIRST });
    expect(await factsOf(open)).toEqual(["User lives in Rome 1"]);
    expect(asked).toBe(1);
  });

  it("leaves nothing behind of a turn that is purged before its facts are remembered", async () => {
    const open = await openMortal();
    open.dieAfter(1);
    await expect(open.memory.ingest({ sessionId: "s", messages: FIRST })).rejects.toThrow("killed");
    open.dieAfter(Number.POSITIVE_INFINITY);
    await open.memory.purge("a");
    expect(await factsOf(open)).toEqual(["User's name is Ada 1"]);
    expect(JSON.stringify(await open.memory.export())).not.toMatch(/Rome|tea/);
  });

  it("keeps facts in the project in which they were said, whoever goes on", async () => {
    const shop = await openMortal({ projectId: "shop" });
    shop.dieAfter(1);
    await expect(shop.memory.ingest({ sessionId: "s", messages: FIRST })).rejects.toThrow("killed");
    shop.dieAfter(Number.POSITIVE_INFINITY);
    const blog = await openMemory({ store: shop.store, clock: shop.clock, projectId: "blog" });
    expect((await blog.memory.ingest({ sessionId: "s", messages: LATER })).memories).toHaveLength(1);
    expect(await factsOf(blog)).toEqual(["User loves jazz 1"]);
    expect(await factsOf(shop)).toEqual(await uninterrupted(FIRST));
  });

  it("takes turns with those who ingest into the session at the same time", async () => {
    const open = await openMemory();
    const parts = [...FIRST, ...LATER].map((message) => [message]);
    await Promise.all(parts.map((messages) => open.memory.ingest({ sessionId: "s", messages })));
    expect(await factsOf(open)).toEqual(await uninterrupted(FIRST, LATER));
    for (const turn of await open.store.memories.turnsOf(SPACE, "s")) expect(turn).not.toHaveProperty("pending");
  });
});

describe("a purge that is killed", () => {
  it("has erased all of it or nothing: what was told by hand as well is not lost", async () => {
    for (const purge of ["turn", "session"] as const) {
      for (let writes = 0; writes <= 1; writes += 1) {
        const open = await openMortal();
        const { memory: rome } = await open.memory.remember({ text: "User lives in Rome" });
        await open.memory.ingest({ sessionId: "s", messages: [said("a", "I do live in Rome, my darling.")] });
        open.dieAfter(writes);
        const gone = purge === "turn" ? open.memory.purge("a") : open.memory.purgeSession("s");
        if (writes === 0) await expect(gone).rejects.toThrow("killed");
        else await gone;
        expect(await open.memory.get(rome.id)).toMatchObject({ value: "Rome", mentions: 2 });
        expect(await open.store.memories.turnsOf(SPACE, "s")).toHaveLength(1 - writes);
        expect(await textsOf(open.memory, "Rome", { from: "memories" })).toEqual(["User lives in Rome"]);
      }
    }
  });
});

describe("uses that are counted while a memory is written", () => {
  it("are not lost", async () => {
    const clock = new StandingClock();
    const store = inProcessStore(clock);
    const { memories } = store;
    let meanwhile = async (): Promise<void> => undefined;
    const busy: Store = {
      ...store,
      memories: {
        ...memories,
        async commit(space, commit) {
          await meanwhile();
          return memories.commit(space, commit);
        },
      },
    };
    const { memory } = await openMemory({ store: busy, clock });
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    meanwhile = () => memories.countUse(SPACE, [tea.id], "cited", clock.now());
    await memory.update(tea.id, { confidence: 1 });
    await memory.remember({ text: "User likes tea" });
    expect((await memory.get(tea.id))?.usage.cited).toBe(2);
  });
});
