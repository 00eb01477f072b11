import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import type { Store } from "../ports/store.ts";
import { type OpenMemory, openBeside, openMemory, textsOf } from "./open-memory.fixture.ts";

const SPACE = "user:ada";
const said = (text: string, id: string) => ({ id, role: "user", text });

/** All stored data of a space, as text. */
async function everything({ store, memory }: OpenMemory, space = SPACE): Promise<string> {
  const { memories: memoryStore } = store;
  const entries = await memoryStore.list(space, "entries", { limit: 10_000 });
  return JSON.stringify([
    await memoryStore.list(space, "memories"),
    await memoryStore.list(space, "contradictions"),
    await memoryStore.list(space, "journal", { limit: 10_000 }),
    entries.map(({ id }) => id),
    await memoryStore.list(space, "turns", { sessionId: "s1" }),
    await memoryStore.list(space, "turns", { sessionId: "s2" }),
    await memory.export({ format: "markdown" }),
  ]);
}

describe("purge of a memory", () => {
  it("erases it everywhere: text, sources, search, journal and contradictions", async () => {
    const ada = await openMemory({ userId: "ada" });
    await ada.memory.ingest({ sessionId: "s1", messages: [said("I live in Xanadu.", "m1"), said("Hello.", "m2")] });
    await ada.memory.ingest({ sessionId: "s2", messages: [said("Hi there! I live in Xanadu.", "m1")] });
    const [known] = await ada.memory.list();
    await ada.memory.update(known?.id ?? "", { confidence: 0.5 });
    const { memory: next } = await ada.memory.remember({ text: "User lives in Oslo" });
    expect(await everything(ada)).toContain("Xanadu");
    const report = await ada.memory.purge(known?.id ?? "");
    expect(report).toMatchObject({ memories: 1, turns: 2 });
    expect(await everything(ada)).not.toContain("Xanadu");
    expect(await everything(ada)).not.toContain(known?.id);
    expect(await ada.memory.get(known?.id ?? "")).toBeUndefined();
    expect(await ada.memory.get(next.id)).not.toHaveProperty("supersedes");
    expect((await ada.store.memories.list(SPACE, "turns", { sessionId: "s1" })).map(({ id }) => id)).toEqual(["m2"]);
    expect(await textsOf(ada.memory, "Xanadu")).not.toContain("I live in Xanadu.");
    await expect(ada.memory.purge(known?.id ?? "")).rejects.toBeInstanceOf(NotFoundError);
  });

  it("keeps turns with similar ids", async () => {
    const ada = await openMemory({ userId: "ada" });
    await ada.memory.ingest({ sessionId: "s2", messages: [said("Good morning", "m1"), said("I love tea.", "m9")] });
    await ada.memory.ingest({ sessionId: "s1", messages: [said("I love tea.", "m1")] });
    const [tea] = await ada.memory.list();
    await ada.memory.purge(tea?.id ?? "");
    expect((await ada.store.memories.list(SPACE, "turns", { sessionId: "s2" })).map(({ text }) => text)).toEqual([
      "Good morning",
    ]);
    expect(await ada.store.memories.list(SPACE, "turns", { sessionId: "s1" })).toEqual([]);
  });

  it("keeps turns of other users with the same session id", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    const bob = await openBeside(ada, { userId: "bob", projectId: "shop" });
    const source = { sessionId: "s1", messageId: "m1", quote: "we deploy on Fridays" };
    const { memory: shared } = await bob.memory.remember({
      text: "We deploy on Fridays",
      source,
      scope: "project-shared",
    });
    await ada.memory.ingest({ sessionId: "s1", messages: [said("Nothing to do with it", "m1")] });
    expect(await ada.memory.purge(shared.id)).toMatchObject({ memories: 1, turns: 0 });
    expect(await ada.store.memories.list(SPACE, "turns", { sessionId: "s1" })).toHaveLength(1);
  });
});

describe("purge of several", () => {
  it("erases all of them in every space, and returns total counts", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    let erasures = 0;
    const { memories: memoryStore } = ada.store;
    const counted: Store = {
      ...ada.store,
      memories: {
        ...memoryStore,
        erase(space, erasure) {
          erasures += 1;
          return memoryStore.erase(space, erasure);
        },
      },
    };
    const again = await openMemory({ userId: "ada", projectId: "shop", store: counted, clock: ada.clock });
    await ada.memory.ingest({
      sessionId: "s1",
      messages: [said("I live in Xanadu.", "m1"), said("I love tea.", "m2")],
    });
    await ada.memory.ingest({ sessionId: "s2", messages: [said("Hello there.", "m3")] });
    await ada.memory.remember({ text: "We deploy on Fridays", scope: "project-shared" });
    await ada.memory.remember({ text: "The build takes nine minutes" });
    const all = (await ada.memory.list()).filter(({ levels }) => !levels.full.includes("build")).map(({ id }) => id);
    expect(all).toHaveLength(3);
    const report = await again.memory.purge([...all, "m3", ...all.slice(0, 1)]);
    expect(report).toMatchObject({ memories: 3, turns: 3 });
    expect(erasures).toBe(2);
    expect((await ada.memory.list({ all: true })).map(({ levels }) => levels.full)).toEqual([
      "The build takes nine minutes",
    ]);
    expect(await everything(ada)).not.toMatch(/Xanadu|tea|Hello/);
    expect(await everything(ada, "project:shop")).not.toContain("Fridays");
  });

  it("erases nothing if one of them is missing", async () => {
    const ada = await openMemory({ userId: "ada" });
    const { memory: tea } = await ada.memory.remember({ text: "User likes tea" });
    await expect(ada.memory.purge([tea.id, "none"])).rejects.toBeInstanceOf(NotFoundError);
    expect(await ada.memory.get(tea.id)).toBeDefined();
    expect(await ada.memory.purge([])).toMatchObject({ memories: 0, turns: 0 });
    await expect(ada.memory.purge(7 as never)).rejects.toBeInstanceOf(InvalidOptionError);
  });
});

describe("purge of a turn", () => {
  it("erases facts that repeat its words, also if another message states them", async () => {
    const ada = await openMemory({ userId: "ada" });
    const reply = { id: "m1", role: "assistant", text: "I pushed the Xanadu keys to main." };
    const request = said("From now on never do that without asking.", "m2");
    await ada.memory.ingest({ sessionId: "s1", messages: [reply, request] });
    const [fact] = await ada.memory.list();
    expect(fact?.levels.full).toContain("Xanadu");
    expect(fact?.earlierSources).toEqual([{ sessionId: "s1", messageId: "m1" }]);
    expect(await ada.memory.purge("m1")).toMatchObject({ memories: 1, turns: 1 });
    expect(await everything(ada)).not.toContain("Xanadu");
    expect(await textsOf(ada.memory, "never do that without asking", { cut: "none" })).toEqual([request.text]);
  });

  it("erases facts with its words after the request was repeated", async () => {
    const ada = await openMemory({ userId: "ada" });
    const reply = { role: "assistant", text: "I pushed the Xanadu keys to main." };
    const request = "From now on never do that without asking.";
    await ada.memory.ingest({ sessionId: "s1", messages: [{ ...reply, id: "a1" }, said(request, "u1")] });
    await ada.memory.ingest({ sessionId: "s2", messages: [{ ...reply, id: "a2" }, said(request, "u2")] });
    expect(await ada.memory.list()).toMatchObject([{ mentions: 2 }]);
    await ada.memory.purge(["a1", "a2"]);
    expect(await everything(ada)).not.toContain("Xanadu");
  });

  it("erases facts based on it, even if stated elsewhere too", async () => {
    const ada = await openMemory({ userId: "ada" });
    await ada.memory.ingest({ sessionId: "s1", messages: [said("I live in Xanadu.", "a"), said("I love tea.", "b")] });
    await ada.memory.ingest({ sessionId: "s2", messages: [said("I really do live in Xanadu.", "c")] });
    expect(await ada.memory.purge("a")).toMatchObject({ memories: 1, turns: 1 });
    expect((await ada.memory.list()).map(({ levels }) => levels.full)).toEqual(["I love tea"]);
    expect(await everything(ada)).not.toContain("I live in Xanadu");
  });

  it("keeps extracted memories on request, without their quotes", async () => {
    const ada = await openMemory({ userId: "ada" });
    await ada.memory.ingest({
      sessionId: "s1",
      messages: [said("Greetings from the harbour! I live in Xanadu.", "m1")],
    });
    await ada.memory.purgeSession("s1", { keepMemories: true });
    const [fact] = await ada.memory.list();
    expect(fact?.levels.full).toBe("I live in Xanadu");
    expect(fact?.source).toMatchObject({ sessionId: "s1" });
    expect(fact?.source.messageId).toBeUndefined();
    expect(await everything(ada)).not.toContain("harbour");
    expect(await textsOf(ada.memory, "Where does the user live?")).toEqual(["I live in Xanadu"]);
  });

  it("keeps facts that were saved by hand, without the erased text", async () => {
    const ada = await openMemory({ userId: "ada" });
    const { memory: byHand } = await ada.memory.remember({ text: "User lives in Rome" });
    await ada.memory.ingest({ sessionId: "s1", messages: [said("Oh, and I live in Rome, my darling.", "a")] });
    expect((await ada.memory.get(byHand.id))?.source.quote).toBe("I live in Rome, my darling");
    expect(await ada.memory.purge("a")).toMatchObject({ memories: 0, turns: 1 });
    expect(await ada.memory.get(byHand.id)).toMatchObject({ value: "Rome", source: {}, mentions: 2 });
    expect(await everything(ada)).not.toContain("I live in Rome");
    expect(await textsOf(ada.memory, "Rome")).toEqual(["User lives in Rome"]);
  });

  it("erases facts shared from it", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    await ada.memory.ingest({ sessionId: "s1", messages: [said("I live in Xanadu.", "a")] });
    const [known] = await ada.memory.list();
    await ada.memory.update(known?.id ?? "", { scope: "project-shared" });
    await ada.memory.purge("a");
    expect(await ada.memory.list({ all: true })).toEqual([]);
    expect(await everything(ada, "project:shop")).not.toContain("Xanadu");
  });

  it("is allowed only for its owner and project", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    await ada.memory.ingest({ sessionId: "s1", messages: [said("Good morning", "a")] });
    for (const visit of [
      { userId: "bob", projectId: "shop" },
      { userId: "ada", projectId: "blog" },
      { userId: "ada" },
    ]) {
      const other = await openBeside(ada, visit);
      await expect(other.memory.purge("a")).rejects.toBeInstanceOf(NotFoundError);
    }
    expect(await ada.store.memories.list(SPACE, "turns", { sessionId: "s1" })).toHaveLength(1);
  });
});

describe("purge of a session", () => {
  it("erases its messages, turns and extracted memories only", async () => {
    const ada = await openMemory({ userId: "ada" });
    await ada.throughline.session("s1").append([{ role: "user", content: "I live in Xanadu." }]);
    await ada.memory.ingest({ sessionId: "s1", messages: [said("I live in Xanadu.", "a"), said("I love jazz.", "b")] });
    await ada.memory.ingest({ sessionId: "s2", messages: [said("I love tea.", "c"), said("I do love jazz.", "d")] });
    await ada.memory.remember({ text: "The build takes nine minutes" });
    await ada.throughline.purgeSession("s1");
    const left = (await ada.memory.list({ all: true })).map(({ levels }) => levels.full);
    expect(left).toEqual(["I love tea", "The build takes nine minutes"]);
    expect(await everything(ada)).not.toMatch(/Xanadu|I love jazz/);
    expect((await ada.store.memories.list(SPACE, "turns", { sessionId: "s2" })).map(({ id }) => id)).toEqual([
      "c",
      "d",
    ]);
    expect(await ada.throughline.sessions()).toEqual([]);
  });

  it("covers all projects of its owner, and no other user", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    const blog = await openBeside(ada, { userId: "ada", projectId: "blog" });
    const bob = await openBeside(ada, { userId: "bob", projectId: "shop" });
    for (const { memory } of [ada, blog, bob])
      await memory.ingest({ sessionId: "s1", messages: [{ role: "user", text: "I live in Xanadu." }] });
    await blog.throughline.purgeSession("s1");
    expect(await everything(ada)).not.toContain("Xanadu");
    expect(await bob.memory.list()).toHaveLength(1);
    expect(await bob.store.memories.list("user:bob", "turns", { sessionId: "s1" })).toHaveLength(1);
  });
});
