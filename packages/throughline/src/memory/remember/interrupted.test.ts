import { describe, expect, it } from "vitest";
import type { PendingFact, Utterance } from "../../ports/memory.ts";
import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import type { IngestMessage } from "../memory-api.ts";
import { type OpenOptions, openMemory, START, StandingClock, textsOf } from "../open-memory.fixture.ts";

const SPACE = "user:local";
const said = (id: string, text: string): IngestMessage => ({ id, role: "user", text });
const FIRST = [
  said("a", "I live in Rome. I love tea."),
  said("b", "My name is Ada."),
  { role: "assistant", text: "Hello!", id: "c" },
];
const LATER = [said("d", "I love jazz.")];

/** A store whose writes all fail from one point on, as if the process had been killed there. */
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

describe("an ingest that is killed", () => {
  it("has written a batch with all of its facts, or nothing of it", async () => {
    const wanted = await uninterrupted(FIRST);
    expect(wanted).toHaveLength(3);
    for (let writes = 0; writes <= 1; writes += 1) {
      const open = await openMortal();
      open.dieAfter(writes);
      const first = open.memory.ingest({ sessionId: "s", messages: FIRST });
      if (writes === 0) await expect(first).rejects.toThrow("killed");
      else await first;
      open.dieAfter(Number.POSITIVE_INFINITY);
      expect(await factsOf(open)).toEqual(writes === 0 ? [] : wanted);
      expect(await open.store.memories.list(SPACE, "turns", { sessionId: "s" })).toHaveLength(writes * FIRST.length);
      await open.memory.ingest({ sessionId: "s", messages: FIRST });
      expect(await factsOf(open)).toEqual(wanted);
      expect(await open.store.memories.list(SPACE, "turns", { sessionId: "s" })).toHaveLength(FIRST.length);
    }
  });

  it("continues behind the last batch if the same messages are ingested again", async () => {
    const filler = Array.from({ length: 200 }, (_, n) => ({ role: "assistant", text: `Line ${n}`, id: `f${n}` }));
    const messages = [...FIRST, ...filler, ...LATER];
    const open = await openMortal();
    open.dieAfter(1);
    await expect(open.memory.ingest({ sessionId: "s", messages })).rejects.toThrow("killed");
    expect(await factsOf(open)).toEqual(await uninterrupted(FIRST));
    open.dieAfter(Number.POSITIVE_INFINITY);
    const { turns } = await open.memory.ingest({ sessionId: "s", messages });
    expect(turns).toEqual(messages.slice(200).map(({ id }) => id));
    expect(await factsOf(open)).toEqual(await uninterrupted(FIRST, LATER));
  });

  it("saves each fact once if several ingest into the session at the same time", async () => {
    const open = await openMemory();
    const parts = [...FIRST, ...LATER].map((message) => [message]);
    await Promise.all(parts.map((messages) => open.memory.ingest({ sessionId: "s", messages })));
    expect(await factsOf(open)).toEqual(await uninterrupted(FIRST, LATER));
  });
});

describe("facts that version 0.1 had extracted and not saved", () => {
  const PENDING: readonly PendingFact[] = [
    pending("I live in Rome", "a", "I live in Rome"),
    pending("I love tea", "a", "I love tea"),
    pending("My name is Ada", "b", "My name is Ada"),
  ];

  function pending(text: string, messageId: string, quote: string): PendingFact {
    return { text, category: "identity", source: { sessionId: "s", messageId, quote } };
  }

  /**
   * A store as version 0.1 left it if it was stopped between turns and facts: the last turn of a batch has the facts.
   */
  async function leavePending(options: OpenOptions = {}, facts = PENDING) {
    const open = await openMemory(options);
    const turns = FIRST.map(({ id = "", role, text }, position): Utterance => {
      const turn = { id, messageId: id, sessionId: "s", position, role, text, createdAt: START - 50, owner: "local" };
      const { projectId } = options;
      const last = position === FIRST.length - 1 ? { pending: facts } : {};
      return { ...turn, ...last, ...(projectId !== undefined && { projectId }) };
    });
    await open.store.memories.commit(SPACE, { revision: 0, turns });
    return open;
  }

  it("are saved by the next ingest into the session, each once", async () => {
    const wanted = await uninterrupted(FIRST, LATER);
    for (const messages of [[...FIRST, ...LATER], LATER]) {
      const open = await leavePending();
      const { turns, memories } = await open.memory.ingest({ sessionId: "s", messages });
      expect(turns).toEqual(["d"]);
      expect(memories.map(({ outcome }) => outcome)).toEqual(Array(4).fill("added"));
      expect(memories[0]?.memory).toMatchObject({ validFrom: START - 50, source: PENDING[0]?.source });
      await open.memory.ingest({ sessionId: "s", messages });
      expect(await factsOf(open)).toEqual(wanted);
      for (const turn of await open.store.memories.list(SPACE, "turns", { sessionId: "s" }))
        expect(turn).not.toHaveProperty("pending");
    }
  });

  it("are saved once if several ingest into the session at the same time", async () => {
    const open = await leavePending();
    await Promise.all([1, 2, 3].map(() => open.memory.ingest({ sessionId: "s", messages: LATER })));
    expect(await factsOf(open)).toEqual(await uninterrupted(FIRST, LATER));
  });

  it("are merged if two of them say the same", async () => {
    const open = await leavePending({}, [...PENDING, pending("User is based in Rome", "b", "based in Rome")]);
    const { memories } = await open.memory.ingest({ sessionId: "s", messages: LATER });
    expect(memories[3]).toMatchObject({ outcome: "merged", memory: { id: memories[0]?.memory.id, mentions: 2 } });
  });

  it("go with their turn if it is purged, and the others are saved", async () => {
    const open = await leavePending();
    await open.memory.purge("a");
    expect(await factsOf(open)).toEqual(["My name is Ada 1"]);
    expect(JSON.stringify(await open.memory.export())).not.toMatch(/Rome|tea/);
  });

  it("stay in the project in which they were said", async () => {
    const inShop = PENDING.map((fact): PendingFact => ({ ...fact, category: "project" }));
    const shop = await leavePending({ projectId: "shop" }, inShop);
    const blog = await openMemory({ store: shop.store, clock: shop.clock, projectId: "blog" });
    expect((await blog.memory.ingest({ sessionId: "s", messages: LATER })).memories).toHaveLength(1);
    expect(await factsOf(blog)).toEqual(["I love jazz 1"]);
    expect(await factsOf(shop)).toEqual([...(await uninterrupted(FIRST)), "I love jazz 1"].sort());
  });

  it("are left out with a warning if they are not valid", async () => {
    const warnings: string[] = [];
    const logger = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
    const open = await leavePending({ logger }, [...PENDING, pending("", "b", "My name is Ada")]);
    await open.memory.ingest({ sessionId: "s", messages: LATER });
    expect(await factsOf(open)).toEqual(await uninterrupted(FIRST, LATER));
    expect(warnings).toEqual([expect.stringContaining("Fact of session s not saved")]);
  });
});

describe("a purge that is killed", () => {
  it("has erased all of it or nothing: a fact that was also saved by hand is not lost", async () => {
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
        expect(await open.store.memories.list(SPACE, "turns", { sessionId: "s" })).toHaveLength(1 - writes);
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
    meanwhile = () => memories.record(SPACE, { uses: { ids: [tea.id], use: "cited", at: clock.now() } });
    await memory.update(tea.id, { confidence: 1 });
    await memory.remember({ text: "User likes tea" });
    expect((await memory.get(tea.id))?.usage.cited).toBe(2);
  });
});
