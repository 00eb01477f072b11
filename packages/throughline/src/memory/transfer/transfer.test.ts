import { describe, expect, it } from "vitest";
import { InvalidImportError } from "../../errors/memory-errors.ts";
import { type OpenMemory, openBeside, openMemory, textsOf } from "../open-memory.fixture.ts";

const ADA = { userId: "ada", projectId: "shop" } as const;

/** A store with current, ended, archived and shared facts, turns, contradictions and journal entries. */
async function lived(): Promise<OpenMemory> {
  const ada = await openMemory(ADA);
  const bob = await openBeside(ada, { userId: "bob", projectId: "shop" });
  const { memory, clock } = ada;
  await memory.ingest({
    sessionId: "s1",
    messages: [
      { id: "a", role: "user", text: "I live in Rome, and I love opera.", at: clock.now() },
      { id: "b", role: "assistant", text: "How nice." },
    ],
  });
  clock.pass(1_000);
  const { memory: oslo } = await memory.remember({ text: "User lives in Oslo", category: "identity", pinned: true });
  const { memory: tea } = await memory.remember({ text: "User likes tea", aliases: ["chai"] });
  await memory.remember({ text: "The build takes 5 minutes" });
  await memory.remember({ text: "The build takes 50 minutes" });
  await memory.forget(tea.id);
  await memory.remember({
    text: "We use MySQL",
    subject: "project",
    scope: "project-shared",
    key: "db",
    value: "MySQL",
  });
  await bob.memory.remember({
    text: "We use PostgreSQL",
    subject: "project",
    scope: "project-shared",
    key: "db",
    value: "PostgreSQL",
  });
  const { memory: moved } = await memory.remember({ text: "We deploy on Fridays" });
  await memory.update(moved.id, { scope: "project-shared" });
  const [found] = await memory.contradictions();
  await memory.resolve(found?.id ?? "", { resolution: "b_wins", note: "Measured again" });
  await memory.recall("Oslo", { cut: "none" });
  await memory.cite(oslo.id, { query: "the fjordplace" });
  return ada;
}

describe("an export", () => {
  it("is complete, and is identical when exported from another store", async () => {
    const ada = await lived();
    const exported = await ada.memory.export();
    expect(exported.memories.length).toBeGreaterThan(8);
    expect(exported.turns).toHaveLength(2);
    expect(exported.contradictions).toHaveLength(2);
    const other = await openMemory({ ...ADA, clock: ada.clock });
    const imported = await other.memory.import(JSON.stringify(exported));
    expect(imported).toMatchObject({
      format: "throughline-memory",
      added: exported.memories.length,
      updated: 0,
      turns: 2,
      skipped: [],
    });
    const again = await other.memory.export();
    const past = new Set(exported.journal?.map(({ id }) => id));
    expect({ ...again, exportedAt: 0, journal: again.journal?.filter(({ id }) => past.has(id)) }).toEqual({
      ...exported,
      exportedAt: 0,
    });
    for (const question of ["Where does the user live?", "database", "build", "chai"]) {
      expect(await textsOf(other.memory, question)).toEqual(await textsOf(ada.memory, question));
    }
  });

  it("can be imported twice; the second import changes nothing", async () => {
    const ada = await lived();
    const exported = await ada.memory.export();
    const other = await openMemory(ADA);
    for (const { memory, store } of [ada, other]) {
      await memory.import(exported);
      const before = await Promise.all((await store.memories.spaces()).map((space) => store.memories.head(space)));
      const { added, updated, turns } = await memory.import(exported);
      expect({ added, updated, turns }).toEqual({ added: 0, updated: 0, turns: 0 });
      const after = await Promise.all((await store.memories.spaces()).map((space) => store.memories.head(space)));
      expect(after).toEqual(before);
    }
  });

  it("can be previewed before the import, and undone afterwards", async () => {
    const exported = await (await lived()).memory.export();
    const { memory, store } = await openMemory(ADA);
    const dry = await memory.import(exported, { dryRun: true });
    expect(await store.memories.spaces()).toEqual([]);
    const wet = await memory.import(exported);
    expect(wet).toEqual(dry);
    const done = (await memory.journal({ limit: 100 })).filter(({ action }) => action === "import");
    for (const { id } of done) await memory.undo(id);
    expect(await memory.list()).toEqual([]);
  });

  it("can be undone step by step in both stores", async () => {
    const ada = await lived();
    const other = await openMemory(ADA);
    await other.memory.import(await ada.memory.export());
    const [resolved] = (await other.memory.journal({ limit: 100 })).filter(({ action }) => action === "resolve");
    await other.memory.undo(resolved?.id ?? "");
    expect(await other.memory.contradictions({ status: "open" })).toHaveLength(2);
  });

  it("contains nothing of other users and projects", async () => {
    const ada = await lived();
    const exported = JSON.stringify(await ada.memory.export());
    for (const visit of [{ userId: "eve", projectId: "blog" }, { userId: "eve" }]) {
      const { memories, turns, contradictions, journal } = await (await openBeside(ada, visit)).memory.export();
      expect([memories, turns, contradictions, journal]).toEqual([[], [], [], []]);
    }
    const elsewhere = await (await openBeside(ada, { userId: "ada", projectId: "blog" })).memory.export();
    const categories = new Set(elsewhere.memories.map(({ category }) => category));
    expect([...categories].every((category) => category === "identity" || category === "preference")).toBe(true);
    expect(elsewhere.turns).toEqual([]);
    expect(exported).toContain("PostgreSQL");
    const bob = JSON.stringify(await (await openBeside(ada, { userId: "bob", projectId: "shop" })).memory.export());
    expect(bob).not.toMatch(/Oslo|opera|tea/);
  });

  it("belongs to the importing user; memories shared elsewhere are skipped with a note", async () => {
    const exported = await (await lived()).memory.export();
    const eve = await openMemory({ userId: "eve", projectId: "blog" });
    const { skipped } = await eve.memory.import(exported);
    expect(skipped).toHaveLength(exported.memories.filter(({ scope }) => scope === "project-shared").length);
    const kept = await eve.store.memories.list("user:eve", "memories");
    expect(new Set(kept.map(({ owner }) => owner))).toEqual(new Set(["eve"]));
    expect(await eve.store.memories.spaces()).toEqual(["user:eve"]);
  });

  it("imports no memories that no user could see", async () => {
    const ada = await openMemory(ADA);
    await ada.memory.remember({
      text: "User likes tea",
      key: "drink",
      value: "tea",
      aliases: ["chai"],
      subject: "Ada",
    });
    const spoiled = JSON.stringify(await ada.memory.export())
      .replaceAll("tea", "te\u200ba\\u001b[31m")
      .replaceAll("chai", "ch\u2060ai");
    const other = await openMemory(ADA);
    await other.memory.import(spoiled);
    for (const budget of [undefined, 3]) {
      const hits = await other.memory.recall("tea", { cut: "none", ...(budget && { budget }) });
      expect(JSON.stringify(hits)).not.toMatch(/\u200b|\u2060|\\u001b/);
      expect(hits[0]?.memory).toMatchObject({ value: "tea", aliases: ["chai"] });
    }
  });

  it.each([
    ["something else", "{}"],
    ["half of one", '{"format":"throughline-memory","version":1,"memories":['],
    ["one of another version", '{"format":"throughline-memory","version":99}'],
    ["a number", 5],
    ["nothing", undefined],
  ])("is refused where it is %s", async (_what, data) => {
    const { memory, store } = await openMemory(ADA);
    await expect(memory.import(data)).rejects.toBeInstanceOf(InvalidImportError);
    expect(await store.memories.spaces()).toEqual([]);
  });

  it("is refused as a whole if one item is invalid", async () => {
    const exported = await (await lived()).memory.export();
    const { memory, store } = await openMemory(ADA);
    const memories = exported.memories.map((one, at) => (at === 3 ? { ...one, confidence: 7 } : one));
    await expect(memory.import({ ...exported, memories })).rejects.toBeInstanceOf(InvalidImportError);
    expect(await store.memories.spaces()).toEqual([]);
  });
});

describe("a pasted list", () => {
  const LIST = "- Lives in Lisbon\n- Likes surfing\n- Is building a chat app\n";

  it("becomes facts after a preview; a second import adds nothing", async () => {
    const { memory } = await openMemory(ADA);
    const dry = await memory.import(LIST, { dryRun: true });
    expect(dry).toMatchObject({ format: "pasted", added: dry.proposed?.length });
    expect(await memory.list()).toEqual([]);
    expect(await memory.import(LIST)).toMatchObject({ added: dry.proposed?.length, unchanged: 0 });
    const facts = await memory.list();
    expect(facts.map(({ levels }) => levels.full).sort()).toEqual([...(dry.proposed ?? [])].sort());
    expect(await memory.import(LIST)).toMatchObject({ added: 0, unchanged: dry.proposed?.length });
    expect(await memory.list()).toEqual(facts);
  });

  it("reports its progress, and can be cancelled with nothing imported", async () => {
    const { memory } = await openMemory(ADA);
    const facts = ["Plays the cello", "Lives in Rome", "Owns a red kite"].map((fact) => `- ${fact}`).join("\n");
    const seen: string[] = [];
    const cancel = new AbortController();
    const onProgress = ({ done, of }: { readonly done: number; readonly of: number }) => {
      seen.push(`${done}/${of}`);
      if (done === 2) cancel.abort();
    };
    const cancelled = memory.import(facts, { signal: cancel.signal, onProgress });
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    expect(seen).toEqual(["1/3", "2/3"]);
    expect(await memory.list()).toEqual([]);
    const exported = JSON.stringify(await (await lived()).memory.export());
    await expect(memory.import(exported, { signal: cancel.signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(await memory.list()).toEqual([]);
    expect(await memory.import(facts)).toMatchObject({ added: 3 });
  });

  it("lists known facts in a dry run", async () => {
    const { memory } = await openMemory({ userId: "ada" });
    const pasted = "- Lives in Lisbon\n- Prefers tea to coffee";
    await memory.import("- Lives in Lisbon");
    expect(await memory.import(pasted, { dryRun: true })).toMatchObject({ added: 1, unchanged: 1 });
    expect(await memory.import(pasted)).toMatchObject({ added: 1, unchanged: 1 });
    expect(await memory.import(pasted, { dryRun: true })).toMatchObject({ added: 0, unchanged: 2 });
  });
});
