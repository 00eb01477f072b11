import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { SecretRefusedError } from "../../errors/memory-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import type { MemoryPatch } from "../memory-api.ts";
import { openBeside, openMemory, START, textsOf } from "../open-memory.fixture.ts";

describe("update", () => {
  it("changes the text with all levels, subject, key and value", async () => {
    const { memory, clock } = await openMemory();
    const { memory: known } = await memory.remember({ text: "User lives in Rome", category: "identity" });
    clock.pass(10);
    const changed = await memory.update(known.id, { text: "User lives in Oslo" });
    expect(changed).toMatchObject({
      id: known.id,
      key: "residence",
      value: "Oslo",
      category: "identity",
      lastSeenAt: START + 10,
    });
    expect(Object.values(changed.levels).join()).not.toContain("Rome");
    expect(await memory.get(known.id)).toEqual(changed);
    expect(await textsOf(memory, "Rome")).toEqual(["User lives in Oslo"]);
  });

  it("drops a value that the new text does not contain", async () => {
    const { memory } = await openMemory();
    const { memory: known } = await memory.remember({
      text: "We store it in PostgreSQL.",
      key: "db",
      value: "PostgreSQL",
    });
    expect(await memory.update(known.id, { text: "It is all in PostgreSQL now." })).toMatchObject({
      key: "db",
      value: "PostgreSQL",
    });
    const changed = await memory.update(known.id, { text: "It is all in files now." });
    expect(changed).not.toHaveProperty("value");
    expect((await memory.remember({ text: "x", key: "db", value: "PostgreSQL" })).outcome).toBe("added");
  });

  it("keeps omitted fields and removes fields set to null", async () => {
    const { memory } = await openMemory();
    const input = { text: "We use MySQL", subject: "project", aliases: ["the base"], category: "project" } as const;
    const { memory: known } = await memory.remember(input);
    expect(await memory.update(known.id, {})).toEqual(known);
    expect(await memory.update(known.id, { confidence: 1 })).toEqual({ ...known, confidence: 1 });
    const bare = await memory.update(known.id, { category: null, key: null, subject: null, aliases: [] });
    expect(bare).toMatchObject({ aliases: [], levels: { full: "We use MySQL" } });
    for (const field of ["category", "key", "value", "subject"]) expect(bare).not.toHaveProperty(field);
    expect(await memory.journal()).toHaveLength(3);
  });

  it("keeps a single current value after a change of key or time", async () => {
    const { memory, clock } = await openMemory();
    const { memory: rome } = await memory.remember({ text: "User lives in Rome" });
    clock.pass(100);
    const { memory: oslo } = await memory.remember({ text: "User lives in Oslo" });
    await memory.update(rome.id, { validTo: null });
    expect(await memory.get(rome.id)).toMatchObject({ validTo: START + 100 });
    await memory.update(oslo.id, { validFrom: START - 100 });
    expect(await memory.get(oslo.id)).toMatchObject({ validTo: START });
  });

  it("sets no category on other kinds", async () => {
    const { memory } = await openMemory();
    const { memory: episode } = await memory.remember({ kind: "episode", text: "It broke" });
    await expect(memory.update(episode.id, { category: "project" })).rejects.toBeInstanceOf(InvalidOptionError);
  });

  it.each<[string, unknown]>([
    ["nothing at all", undefined],
    ["an empty text", { text: " \u200b" }],
    ["an unknown category", { category: "x" }],
    ["an unknown scope", { scope: "x" }],
    ["a confidence above 1", { confidence: 1.1 }],
    ["a confidence that is no number", { confidence: "high" }],
    ["an end before the beginning", { validTo: START - 1 }],
    ["a time that is none", { validFrom: Number.NaN }],
    ["an end that is none", { validTo: "tomorrow" }],
    ["aliases that are no list", { aliases: "abc" }],
    ["an unknown kind of artifact", { artifacts: [{ type: "ship", ref: "x" }] }],
    ["a key of signs", { key: "?!" }],
    ["a project that is not there", { scope: "project-shared" }],
  ])("refuses %s", async (_what, patch) => {
    const { memory } = await openMemory();
    const { memory: known } = await memory.remember({ text: "User likes tea" });
    await expect(memory.update(known.id, patch as MemoryPatch)).rejects.toBeInstanceOf(InvalidOptionError);
    expect(await memory.get(known.id)).toEqual(known);
  });

  it.each<MemoryPatch>([
    { text: "The password: hunter2hunter2" },
    { value: "AKIAIOSFODNN7QWERTZU" },
    { aliases: ["AKIAIOSFODNN7QWERTZU"] },
    { subject: "AKIAIOSFODNN7QWERTZU" },
  ])("refuses a secret in %j", async (patch) => {
    const { memory } = await openMemory();
    const { memory: known } = await memory.remember({ text: "User likes tea" });
    await expect(memory.update(known.id, patch)).rejects.toBeInstanceOf(SecretRefusedError);
    await expect(memory.update(known.id, { ...patch, keepSecrets: true })).resolves.toMatchObject({ id: known.id });
  });

  it("refuses unknown ids and those of other users", async () => {
    const ada = await openMemory({ userId: "ada" });
    const bob = await openBeside(ada, { userId: "bob" });
    const { memory: known } = await ada.memory.remember({ text: "User likes tea" });
    for (const act of [
      () => bob.memory.update(known.id, { pinned: true }),
      () => bob.memory.forget(known.id),
      () => bob.memory.purge(known.id),
      () => bob.memory.cite(known.id),
      () => bob.memory.ignore(known.id),
      () => bob.memory.forget("mem_nothing"),
    ])
      await expect(act()).rejects.toBeInstanceOf(NotFoundError);
    expect(await bob.memory.get(known.id)).toBeUndefined();
    expect(await ada.memory.get(known.id)).toEqual(known);
  });
});

describe("forget", () => {
  it("archives without deleting, and is idempotent", async () => {
    const { memory, clock } = await openMemory();
    const { memory: known } = await memory.remember({ text: "User likes tea", category: "preference", pinned: true });
    const away = await memory.forget(known.id);
    expect(away).toEqual({ ...known, archivedAt: START, pinned: false });
    clock.pass(10);
    expect(await memory.forget(known.id)).toEqual(away);
    expect(await memory.list()).toEqual([]);
    expect(await memory.list({ all: true })).toEqual([away]);
    expect(await memory.journal()).toHaveLength(2);
  });

  it("allows the same statement to be saved as a new memory", async () => {
    const { memory } = await openMemory();
    const { memory: known } = await memory.remember({ text: "User likes tea" });
    await memory.forget(known.id);
    expect((await memory.remember({ text: "User likes tea" })).outcome).toBe("added");
  });
});

describe("a memory that moves to another scope", () => {
  it("is visible exactly in its new scope", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    const bob = await openBeside(ada, { userId: "bob", projectId: "shop" });
    const { memory: own } = await ada.memory.remember({ text: "We deploy on Fridays" });
    expect(await bob.memory.list()).toEqual([]);
    const shared = await ada.memory.update(own.id, { scope: "project-shared" });
    expect(shared).toMatchObject({ scope: "project-shared", projectId: "shop", owner: "ada", levels: own.levels });
    expect(await bob.memory.list()).toEqual([shared]);
    expect(await ada.memory.list()).toEqual([shared]);
    expect(await ada.memory.get(shared.id)).toEqual(shared);
    expect(await ada.memory.get(own.id)).toMatchObject({ archivedAt: START, supersededBy: shared.id });
    expect(await textsOf(ada.memory, "deploy")).toEqual(["We deploy on Fridays"]);
    const back = await ada.memory.update(shared.id, { scope: "user-private" });
    expect(await bob.memory.list()).toEqual([]);
    expect(await ada.memory.list()).toEqual([back]);
  });

  it("can be changed, archived, exported and imported afterwards", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    const { memory: own } = await ada.memory.remember({ text: "We deploy on Fridays" });
    const { id } = await ada.memory.update(own.id, { scope: "project-shared" });
    expect(await ada.memory.update(id, { confidence: 0.9 })).toMatchObject({
      confidence: 0.9,
      scope: "project-shared",
    });
    const exported = await ada.memory.export();
    expect(new Set(exported.memories.map((one) => one.id)).size).toBe(exported.memories.length);
    const elsewhere = await openMemory({ userId: "ada", projectId: "shop" });
    await elsewhere.memory.import(JSON.parse(JSON.stringify(exported)));
    expect(await elsewhere.memory.list()).toEqual(await ada.memory.list());
    await ada.memory.forget(id);
    expect(await ada.memory.list()).toEqual([]);
  });

  it("belongs to the user who makes it private", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    const bob = await openBeside(ada, { userId: "bob", projectId: "shop" });
    const { memory: shared } = await ada.memory.remember({ text: "We deploy on Fridays", scope: "project-shared" });
    expect(await bob.memory.update(shared.id, { scope: "user-private" })).toMatchObject({ owner: "bob" });
  });
});
