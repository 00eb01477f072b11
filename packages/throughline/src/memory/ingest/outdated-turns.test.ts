import { describe, expect, it } from "vitest";
import { NotFoundError } from "../../errors/store-errors.ts";
import { DAY } from "../../internal/time.ts";
import type { Utterance } from "../../ports/memory.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import { createThroughline } from "../../throughline.ts";
import type { IngestMessage } from "../memory-api.ts";
import type { MemoryService } from "../memory-service.ts";
import { openBeside, openMemory } from "../open-memory.fixture.ts";

const MONDAY = Date.UTC(2026, 4, 4);

async function moved() {
  const { memory } = await createThroughline({ clock: { now: () => MONDAY + 9 * DAY } });
  await memory.ingest({
    sessionId: "s",
    messages: [
      { id: "old", role: "user", text: "The launch review is on Tuesday at 3pm.", at: MONDAY },
      { id: "new", role: "user", text: "The launch review has been moved to Thursday at 10am.", at: MONDAY + DAY },
    ],
  });
  const ask = async (asOf?: number) => {
    const hits = await memory.recall("When is the launch review?", { cut: "none", ...(asOf && { asOf }) });
    return hits.map(({ source }) => source.messageId);
  };
  return { memory, ask };
}

describe("a turn outdated by a later one", () => {
  it("is not recalled, even without a cut", async () => {
    const { ask } = await moved();
    expect(await ask()).toEqual(["new"]);
  });

  it("was recalled before", async () => {
    const { ask } = await moved();
    expect(await ask(MONDAY + DAY / 2)).toEqual(["old"]);
  });

  it("is stored unchanged", async () => {
    const { memory } = await moved();
    const { turns } = await memory.export();
    expect(turns[0]).toMatchObject({ text: "The launch review is on Tuesday at 3pm.", staleSince: MONDAY + DAY });
  });
});

const SPACE = "user:local";
const OLD = "The launch review is on Tuesday at 3pm.";
const NEW = "The launch review has been moved to Thursday at 10am.";
const said = (id: string, text: string, day: number): IngestMessage => ({
  id,
  role: "user",
  text,
  at: MONDAY + day * DAY,
});

async function openLater() {
  const opened = await openMemory();
  opened.clock.time = MONDAY + 9 * DAY;
  return { ...opened, memoryStore: opened.store.memories };
}

/** A turn and its search entry, without the revision that wrote it. */
async function stateOf(memoryStore: MemoryStore, id: string) {
  const entries = await memoryStore.get(SPACE, "entries", [id]);
  return [await memoryStore.get(SPACE, "turns", [id]), entries.map(({ revision: _, ...entry }) => entry)];
}

/** A turn, and a fact saved by hand that replaces its statement. */
async function replaced() {
  const { memory, memoryStore } = await openLater();
  await memory.ingest({ sessionId: "s", messages: [said("m", "The team uses MySQL.", 0)] });
  const look = () => stateOf(memoryStore, "m");
  const before = await look();
  await memory.remember({ text: "The team uses MySQL", key: "db", value: "MySQL" });
  const { memory: newer } = await memory.remember({ text: "The team uses SQLite", key: "db", value: "SQLite" });
  expect(await memoryStore.get(SPACE, "turns", ["m"])).toMatchObject([{ marks: [{ by: newer.id }] }]);
  const ask = async () => (await memory.recall("MySQL team", { cut: "none", from: "turns" })).map(({ id }) => id);
  return { memory, look, before, ask, newer };
}

/** A turn of one session, and the turns of later sessions that correct it. */
async function corrected(...later: readonly (readonly [sessionId: string, message: IngestMessage])[]) {
  const { memory, memoryStore } = await openLater();
  await memory.ingest({ sessionId: "s", messages: [said("old", OLD, 0)] });
  const look = () => stateOf(memoryStore, "old");
  const before = await look();
  for (const [sessionId, message] of later) await memory.ingest({ sessionId, messages: [message] });
  const ask = async () =>
    (await memory.recall("When is the launch review?", { cut: "none", from: "turns" })).map(({ id }) => id);
  return { memory, memoryStore, look, before, ask };
}

describe("the cause of an outdated turn", () => {
  it("can be undone and redone exactly, also in search", async () => {
    const { memory, look, before, ask } = await corrected(["s", said("new", NEW, 1)]);
    const after = await look();
    expect(after).not.toEqual(before);
    const entry = (await memory.journal()).find(({ action }) => action === "ingest");
    expect(entry).toMatchObject({ changes: [{ kind: "turn", id: "old" }] });
    const { journalId = "" } = await memory.undo(entry?.id ?? "");
    expect(await look()).toEqual(before);
    expect(await ask()).toContain("old");
    await memory.undo(journalId);
    expect(await look()).toEqual(after);
    expect(await ask()).not.toContain("old");
  });

  it("is undone if a fact saved by hand replaced the statement", async () => {
    const { memory, look, before, ask } = await replaced();
    expect(await ask()).toEqual([]);
    await memory.undo((await memory.journal())[0]?.id ?? "");
    expect(await look()).toEqual(before);
    expect(await ask()).toEqual(["m"]);
  });

  it("leaves no mark when it is purged: a memory", async () => {
    const { memory, look, before, ask, newer } = await replaced();
    await memory.purge(newer.id);
    expect(await look()).toEqual(before);
    expect(await ask()).toEqual(["m"]);
  });

  it.each<[string, (memory: MemoryService) => Promise<unknown>]>([
    ["a turn", (memory) => memory.purge("new")],
    ["a session", (memory) => memory.purgeSession("s2")],
  ])("leaves no mark when it is purged: %s", async (_what, purge) => {
    const { memory, memoryStore } = await openLater();
    const ask = async () => (await memory.recall("Where does the user live?", { cut: "none", from: "turns" })).length;
    await memory.ingest({ sessionId: "s", messages: [said("old", "I live in Rome.", 0)] });
    const before = await memoryStore.get(SPACE, "turns", ["old"]);
    await memory.ingest({ sessionId: "s2", messages: [said("new", "I no longer live in Rome, I moved to Oslo.", 1)] });
    expect(await memoryStore.get(SPACE, "turns", ["old"])).toMatchObject([
      { staleSince: MONDAY + DAY, marks: [{ by: "new" }] },
    ]);
    await purge(memory);
    expect(await memoryStore.get(SPACE, "turns", ["old"])).toEqual(before);
    expect(await ask()).toBe(1);
  });

  it("is one of several: the mark stays until the last of them is purged", async () => {
    const again = said("again", "The launch review has been moved to Friday at 9am.", 2);
    const { memory, look, before, ask } = await corrected(["s", said("new", NEW, 1)], ["s", again]);
    const [[marked]] = (await look()) as [Utterance[], unknown];
    expect(marked?.marks?.map(({ by }) => by)).toEqual(["new", "again"]);
    await memory.purge("new");
    expect(await ask()).toEqual(["again"]);
    await memory.purge("again");
    expect(await look()).toEqual(before);
    expect(await ask()).toEqual(["old"]);
  });

  it("does not come back by an undo after it was purged", async () => {
    const { memory, look, before } = await corrected(["s", said("new", NEW, 1)]);
    const entry = (await memory.journal()).find(({ action }) => action === "ingest");
    const { journalId = "" } = await memory.undo(entry?.id ?? "");
    await memory.purge("new");
    await expect(memory.undo(journalId)).rejects.toBeInstanceOf(NotFoundError);
    expect(await look()).toEqual(before);
    expect(JSON.stringify(await memory.journal())).not.toContain('"new"');
  });

  it("stays in its project: a turn of another one is not marked, and its journal not shown", async () => {
    const shop = await openMemory({ userId: "ada", projectId: "shop" });
    shop.clock.time = MONDAY + 9 * DAY;
    const blog = await openBeside(shop, { userId: "ada", projectId: "blog" });
    await shop.memory.ingest({ sessionId: "s", messages: [said("old", OLD, 0)] });
    await blog.memory.ingest({ sessionId: "s", messages: [said("new", NEW, 1)] });
    expect((await shop.store.memories.get("user:ada", "turns", ["old"]))[0]).not.toHaveProperty("marks");
    await shop.memory.ingest({ sessionId: "s", messages: [said("later", NEW, 2)] });
    const marked = (await shop.memory.journal()).filter(({ action }) => action === "ingest");
    expect(marked).toMatchObject([{ changes: [{ kind: "turn", id: "old" }] }]);
    expect((await blog.memory.journal()).filter(({ action }) => action === "ingest")).toEqual([]);
  });
});
