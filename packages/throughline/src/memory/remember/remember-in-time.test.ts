import { describe, expect, it } from "vitest";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryService } from "../memory-service.ts";
import { openMemory, START } from "../open-memory.fixture.ts";

/** Values of `residence` with their validity intervals, earliest first. */
async function residences(memory: MemoryService): Promise<[string | undefined, number, number | undefined][]> {
  const all = await memory.list({ all: true });
  return all
    .filter(({ key, archivedAt }) => key === "residence" && archivedAt === undefined)
    .sort((a: Memory, b: Memory) => a.validFrom - b.validFrom || a.createdAt - b.createdAt)
    .map(({ value, validFrom, validTo }) => [
      value,
      validFrom - START,
      validTo === undefined ? undefined : validTo - START,
    ]);
}

const lives = (city: string, validFrom: number) => ({ text: `User lives in ${city}`, validFrom: START + validFrom });

describe("facts about other times", () => {
  it("are ordered by validity, not by the time of saving", async () => {
    const { memory } = await openMemory();
    await memory.remember(lives("Rome", 10));
    await memory.remember(lives("Oslo", 30));
    await memory.remember(lives("Bern", 20));
    await memory.remember(lives("Graz", 0));
    expect(await residences(memory)).toEqual([
      ["Graz", 0, 10],
      ["Rome", 10, 20],
      ["Bern", 20, 30],
      ["Oslo", 30, undefined],
    ]);
  });

  it("are added without replacing current facts", async () => {
    const { memory } = await openMemory();
    const { memory: oslo } = await memory.remember(lives("Oslo", 30));
    const rome = await memory.remember(lives("Rome", 10));
    expect(rome).toMatchObject({ outcome: "added", memory: { validTo: START + 30, supersededBy: oslo.id } });
    expect(rome.updatesFactId).toBeUndefined();
    expect((await memory.list()).map(({ value }) => value)).toEqual(["Oslo"]);
  });

  it("are stored once if saved twice", async () => {
    const { memory } = await openMemory();
    await memory.remember(lives("Oslo", 30));
    const first = await memory.remember(lives("Rome", 10));
    const again = await memory.remember(lives("Rome", 10));
    expect(again).toMatchObject({
      outcome: "merged",
      memory: { id: first.memory.id, mentions: 2, validTo: START + 30 },
    });
    expect(await residences(memory)).toEqual([
      ["Rome", 10, 30],
      ["Oslo", 30, undefined],
    ]);
  });

  it("can repeat a value in a second interval", async () => {
    const { memory, clock } = await openMemory();
    for (const city of ["Rome", "Oslo", "Rome"]) {
      await memory.remember({ text: `User lives in ${city}` });
      clock.pass(10);
    }
    expect(await residences(memory)).toEqual([
      ["Rome", 0, 10],
      ["Oslo", 10, 20],
      ["Rome", 20, undefined],
    ]);
  });

  it("cannot be pinned if they have ended", async () => {
    const { memory } = await openMemory();
    await memory.remember({ ...lives("Oslo", 30), category: "identity" });
    const past = await memory.remember({ ...lives("Rome", 10), category: "identity", pinned: true });
    expect(past.memory).toMatchObject({ validTo: START + 30, pinned: false });
  });

  it("never overlap, even with the same start", async () => {
    // Ids are random and must not affect the result.
    for (let n = 0; n < 20; n += 1) {
      const { memory } = await openMemory();
      await memory.remember(lives("Rome", 10));
      await memory.remember(lives("Oslo", 10));
      await memory.remember(lives("Bern", 10));
      expect(await memory.list()).toMatchObject([{ value: "Bern" }]);
      expect((await residences(memory)).filter(([, from, to]) => to === from)).toHaveLength(2);
    }
  });

  it("form one history per subject, person and project", async () => {
    const { memory } = await openMemory();
    await memory.remember({ ...lives("Rome", 10), subject: "Ada" });
    await memory.remember({ ...lives("Oslo", 20), subject: "Bob" });
    expect((await memory.list()).map(({ validTo }) => validTo)).toEqual([undefined, undefined]);
  });
});
