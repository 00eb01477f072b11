import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { MAX_CHAT_FACTS, MAX_PINNED, PRUNE_THRESHOLD } from "../facts/fact-rules.ts";
import type { MemoryService } from "../memory-service.ts";
import { openBeside, openMemory, START } from "../open-memory.fixture.ts";

const CODES = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike".split(" ");

/** A fact that shares no distinctive word with any other. */
function factNumber(n: number): string {
  const words = [n % 13, Math.floor(n / 13) % 13, Math.floor(n / 169)].map((code) => CODES[code]);
  return `User likes ${words.join("-")}-${n}`;
}

async function tell(memory: MemoryService, count: number, from = 0): Promise<void> {
  for (let n = from; n < from + count; n += 1) await memory.remember({ text: factNumber(n), category: "preference" });
}

async function counts(memory: MemoryService): Promise<{ current: number; pinned: number; all: number }> {
  const all = await memory.list({ all: true, limit: 10_000 });
  const current = all.filter(
    ({ category, validTo, archivedAt }) => category && validTo === undefined && archivedAt === undefined,
  );
  return { current: current.length, pinned: current.filter(({ pinned }) => pinned).length, all: all.length };
}

describe("caps of the chat's facts", () => {
  it(`are at most ${MAX_CHAT_FACTS}: the least valuable is archived, not deleted`, async () => {
    const { memory, clock } = await openMemory();
    for (let n = 0; n < MAX_CHAT_FACTS; n += 1) {
      await tell(memory, 1, n);
      clock.pass(1_000);
    }
    expect(await counts(memory)).toMatchObject({ current: MAX_CHAT_FACTS, all: MAX_CHAT_FACTS });
    await tell(memory, 5, MAX_CHAT_FACTS);
    expect(await counts(memory)).toMatchObject({ current: MAX_CHAT_FACTS, all: MAX_CHAT_FACTS + 5 });
    const away = (await memory.list({ all: true, limit: 1_000 })).filter(({ archivedAt }) => archivedAt !== undefined);
    expect(away.map(({ levels }) => levels.full)).toEqual([0, 1, 2, 3, 4].map(factNumber));
  });

  it(`start at ${PRUNE_THRESHOLD} for stale facts`, async () => {
    const { memory, clock } = await openMemory();
    await tell(memory, PRUNE_THRESHOLD);
    clock.pass(100 * DAY);
    await tell(memory, 1, PRUNE_THRESHOLD);
    expect(await counts(memory)).toMatchObject({ current: PRUNE_THRESHOLD, all: PRUNE_THRESHOLD + 1 });
  });

  it("apply to facts about the past too", async () => {
    const { memory } = await openMemory();
    await tell(memory, MAX_CHAT_FACTS);
    for (let n = 0; n < 3; n += 1) {
      const source = { sessionId: "old", messageId: `m${n}`, at: START - 100 * DAY };
      await memory.remember({ text: factNumber(MAX_CHAT_FACTS + n), category: "preference", source });
    }
    expect(await counts(memory)).toMatchObject({ current: MAX_CHAT_FACTS, all: MAX_CHAT_FACTS + 3 });
  });

  it("apply to memories that become chat facts: by change, replacement, restore or import", async () => {
    const { memory, store } = await openMemory({ userId: "ada" });
    await tell(memory, MAX_CHAT_FACTS);
    const { memory: plain } = await memory.remember({ text: "A plain one about bridges" });
    await memory.update(plain.id, { category: "project" });
    expect((await counts(memory)).current).toBe(MAX_CHAT_FACTS);
    await memory.remember({ text: "User lives in Rome" });
    await memory.remember({ text: "User lives in Oslo", category: "identity" });
    expect((await counts(memory)).current).toBe(MAX_CHAT_FACTS);
    const away = (await memory.list({ all: true, limit: 1_000 })).find(({ archivedAt }) => archivedAt !== undefined);
    await memory.update(away?.id ?? "", { archived: false });
    expect((await counts(memory)).current).toBe(MAX_CHAT_FACTS);
    const other = await openMemory({ userId: "ada" });
    await tell(other.memory, 20, 500);
    await memory.import(await other.memory.export());
    expect((await counts(memory)).current).toBe(MAX_CHAT_FACTS);
    expect((await store.memories.list("user:ada", "memories")).length).toBe(MAX_CHAT_FACTS + 1 + 2 + 20);
  });

  it("do not concern memories without a category", async () => {
    const { memory } = await openMemory();
    for (let n = 0; n < MAX_CHAT_FACTS + 5; n += 1) await memory.remember({ text: factNumber(n) });
    expect(await memory.list({ limit: 1_000 })).toHaveLength(MAX_CHAT_FACTS + 5);
  });
});

describe("pins", () => {
  async function withTenPins() {
    const opened = await openMemory({ userId: "ada" });
    for (let n = 0; n < MAX_PINNED; n += 1) {
      await opened.memory.remember({ text: factNumber(n), category: "preference", pinned: true });
    }
    return opened;
  }

  it(`are at most ${MAX_PINNED} for every caller`, async () => {
    const { memory } = await withTenPins();
    const eleventh = { text: factNumber(10), category: "preference", pinned: true } as const;
    await expect(memory.remember(eleventh)).rejects.toMatchObject({ code: "invalid-option" });
    const { memory: known } = await memory.remember({ ...eleventh, pinned: false });
    await expect(memory.update(known.id, { pinned: true })).rejects.toMatchObject({ code: "invalid-option" });
    await expect(memory.remember(eleventh)).rejects.toMatchObject({ code: "invalid-option" });
    expect((await counts(memory)).pinned).toBe(MAX_PINNED);
  });

  it("are released when a fact ends or is archived", async () => {
    const { memory } = await withTenPins();
    const [first, second, third] = await memory.list();
    await memory.forget(first?.id ?? "");
    await memory.update(second?.id ?? "", { archived: true });
    await memory.update(third?.id ?? "", { validTo: START });
    for (const { id } of [first, second, third].flatMap((one) => one ?? []))
      expect(await memory.get(id)).toMatchObject({ pinned: false });
    for (let n = 10; n < 13; n += 1)
      await memory.remember({ text: factNumber(n), category: "preference", pinned: true });
    for (const { id } of [first, second, third].flatMap((one) => one ?? []))
      await memory.update(id, { archived: false, validTo: null });
    expect((await counts(memory)).pinned).toBe(MAX_PINNED);
  });

  it("respect the limit for category changes, replacements, undo and import", async () => {
    const { memory } = await withTenPins();
    const { memory: plain } = await memory.remember({ text: "A plain one about bridges", pinned: true });
    await expect(memory.update(plain.id, { category: "project" })).rejects.toMatchObject({ code: "invalid-option" });
    await memory.remember({ text: "User lives in Rome", pinned: true });
    await memory.remember({ text: "User lives in Oslo", category: "identity" });
    expect((await counts(memory)).pinned).toBe(MAX_PINNED);

    const [first] = await memory.list();
    await memory.update(first?.id ?? "", { pinned: false });
    const [unpinned] = await memory.journal({ limit: 1 });
    await memory.remember({ text: factNumber(20), category: "preference", pinned: true });
    await memory.undo(unpinned?.id ?? "");
    expect((await counts(memory)).pinned).toBe(MAX_PINNED);

    const other = await openMemory({ userId: "ada" });
    for (let n = 30; n < 36; n += 1)
      await other.memory.remember({ text: factNumber(n), category: "preference", pinned: true });
    await memory.import(await other.memory.export());
    expect((await counts(memory)).pinned).toBe(MAX_PINNED);
  });

  it("keep facts from being archived", async () => {
    const { memory, clock } = await withTenPins();
    const pinned = await memory.list();
    clock.pass(300 * DAY);
    await tell(memory, MAX_CHAT_FACTS + 20, 100);
    for (const { id } of pinned) expect((await memory.get(id))?.archivedAt).toBeUndefined();
    expect((await counts(memory)).current).toBe(MAX_CHAT_FACTS);
  });

  it("are counted per user", async () => {
    const ada = await withTenPins();
    const bob = await openBeside(ada, { userId: "bob" });
    const pinned = { text: factNumber(0), category: "preference", pinned: true } as const;
    await expect(bob.memory.remember(pinned)).resolves.toMatchObject({ memory: { pinned: true } });
  });
});
