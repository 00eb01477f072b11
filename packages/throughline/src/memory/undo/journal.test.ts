import { describe, expect, it } from "vitest";
import { UndoRefusedError } from "../../errors/memory-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import type { MemoryService } from "../memory-service.ts";
import { openBeside, openMemory, START, textsOf } from "../open-memory.fixture.ts";

const last = async (memory: MemoryService): Promise<string> => (await memory.journal({ limit: 1 }))[0]?.id ?? "";

describe("the journal", () => {
  it("lists operations, newest first", async () => {
    const { memory, clock } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    clock.pass(1);
    await memory.update(tea.id, { confidence: 0.9 });
    clock.pass(1);
    await memory.forget(tea.id);
    clock.pass(1);
    await memory.undo(await last(memory));
    const journal = await memory.journal();
    expect(journal.map(({ action, at }) => [action, at - START])).toEqual([
      ["undo", 3],
      ["forget", 2],
      ["update", 1],
      ["remember", 0],
    ]);
    expect(journal[0]?.undoes).toBe(journal[1]?.id);
    expect(journal[2]?.changes).toMatchObject([{ kind: "memory", id: tea.id, before: { confidence: 0.6 } }]);
    expect(await memory.journal({ limit: 2 })).toEqual(journal.slice(0, 2));
  });

  it("returns the requested number of entries, skipping other projects", async () => {
    const shop = await openMemory({ userId: "ada", projectId: "shop" });
    const blog = await openBeside(shop, { userId: "ada", projectId: "blog" });
    for (let n = 0; n < 3; n += 1) {
      await shop.memory.remember({ text: `Shop number ${n}` });
      shop.clock.pass(1);
    }
    for (let n = 0; n < 30; n += 1) await blog.memory.remember({ text: `Blog number ${n}` });
    expect(await shop.memory.journal({ limit: 3 })).toHaveLength(3);
    expect(await blog.memory.journal({ limit: 100 })).toHaveLength(30);
  });

  it("does not show one project the contradictions of another", async () => {
    const shop = await openMemory({ userId: "ada", projectId: "shop" });
    const blog = await openBeside(shop, { userId: "ada", projectId: "blog" });
    await shop.memory.remember({ text: "The deploy takes 5 minutes" });
    await shop.memory.remember({ text: "The deploy takes 50 minutes" });
    const [found] = await shop.memory.contradictions();
    await shop.memory.resolve(found?.id ?? "", { resolution: "both_valid", note: "It depends" });
    expect(await shop.memory.journal()).toHaveLength(3);
    expect(await blog.memory.journal()).toEqual([]);
    expect(await blog.memory.contradictions()).toEqual([]);
    await expect(blog.memory.undo(await last(shop.memory))).rejects.toBeInstanceOf(NotFoundError);
    await shop.memory.undo(await last(shop.memory));
    await expect(blog.memory.resolve(found?.id ?? "", { resolution: "a_wins" })).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe("undo", () => {
  it("archives added memories, and restores replaced ones exactly", async () => {
    const { memory, clock } = await openMemory();
    const { memory: rome } = await memory.remember({ text: "User lives in Rome", category: "identity", pinned: true });
    clock.pass(10);
    const { memory: oslo } = await memory.remember({ text: "User lives in Oslo", category: "identity" });
    const { journalId, memories } = await memory.undo(await last(memory));
    expect(await memory.get(rome.id)).toEqual(rome);
    expect(memories).toContainEqual(rome);
    expect(await memory.get(oslo.id)).toMatchObject({ archivedAt: START + 10 });
    expect(await textsOf(memory, "Where does the user live?")).toEqual(["User lives in Rome"]);
    await memory.undo(journalId ?? "");
    expect(await memory.get(oslo.id)).toEqual(oslo);
    expect(await memory.get(rome.id)).toMatchObject({ validTo: START + 10, supersededBy: oslo.id, pinned: false });
  });

  it("restores evicted memories", async () => {
    const { memory } = await openMemory();
    for (let n = 0; n < 150; n += 1)
      await memory.remember({ text: `User likes colour-${n}-${n * 7}`, category: "preference" });
    const before = await memory.list({ limit: 1_000 });
    await memory.remember({ text: "User likes silence", category: "preference" });
    await memory.undo(await last(memory));
    expect(await memory.list({ limit: 1_000 })).toEqual(before);
  });

  it("keeps current usage counts", async () => {
    const { memory } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    await memory.update(tea.id, { confidence: 0.9 });
    await memory.recall("tea", { cut: "none" });
    await memory.undo(await last(memory));
    expect(await memory.get(tea.id)).toMatchObject({ confidence: 0.6, usage: { retrieved: 1 } });
  });

  it("undoes a move in both spaces", async () => {
    const { memory } = await openMemory({ projectId: "shop" });
    const { memory: own } = await memory.remember({ text: "We deploy on Fridays" });
    const moved = await memory.update(own.id, { scope: "project-shared" });
    const [entry] = await memory.journal({ limit: 1 });
    expect(entry?.changes.map(({ id }) => id).sort()).toEqual([own.id, moved.id].sort());
    await memory.undo(entry?.id ?? "");
    expect(await memory.list()).toEqual([own]);
  });

  it("is refused after a later change, and then changes nothing", async () => {
    const { memory } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    const first = await last(memory);
    const changed = await memory.update(tea.id, { confidence: 0.9 });
    await expect(memory.undo(first)).rejects.toBeInstanceOf(UndoRefusedError);
    expect(await memory.get(tea.id)).toEqual(changed);
    await memory.purge(tea.id);
    await expect(memory.undo(first)).rejects.toBeInstanceOf(NotFoundError);
  });

  it("does not find entries of another user", async () => {
    const ada = await openMemory({ userId: "ada" });
    const bob = await openBeside(ada, { userId: "bob" });
    await ada.memory.remember({ text: "User likes tea" });
    await expect(bob.memory.undo(await last(ada.memory))).rejects.toBeInstanceOf(NotFoundError);
    expect(await bob.memory.journal()).toEqual([]);
  });
});
