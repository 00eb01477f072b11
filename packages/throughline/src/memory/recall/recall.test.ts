import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { RecallOptions } from "../memory-api.ts";
import { openBeside, openMemory, START, textsOf } from "../open-memory.fixture.ts";

describe("recall", () => {
  it("returns matches with their sources, best first", async () => {
    const { memory } = await openMemory();
    await memory.ingest({
      sessionId: "s1",
      messages: [{ id: "m1", role: "user", name: "Ada", text: "I live in Lisbon.", at: START - 9 }],
    });
    await memory.remember({ text: "We deploy on Fridays" });
    const hits = await memory.recall("Where does Ada live?");
    const place = { sessionId: "s1", messageId: "m1", at: START - 9, speaker: "Ada" };
    // The memory states the same as its turn, so the turn may be dropped as a repeat.
    const [turn] = await memory.recall("Where does Ada live?", { from: "turns" });
    expect(turn).toMatchObject({
      id: "m1",
      text: "I live in Lisbon.",
      source: place,
    });
    const found = hits.find(({ type }) => type === "memory");
    expect(found).toMatchObject({ text: "I live in Lisbon", source: place, memory: { value: "Lisbon" } });
    expect(found?.source).not.toHaveProperty("quote");
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  it("filters by memories, turns and kinds", async () => {
    const { memory } = await openMemory();
    await memory.ingest({
      sessionId: "s1",
      messages: [{ role: "user", text: "I love gardening. The deploy to Kubernetes waits for the review of Bob." }],
    });
    await memory.remember({ text: "We deploy to Kubernetes on Fridays" });
    await memory.remember({ kind: "episode", text: "The deploy to Kubernetes broke in May" });
    const types = async (options: RecallOptions) =>
      (await memory.recall("deploy to Kubernetes", { cut: "none", ...options }))
        .filter(({ text }) => text.includes("Kubernetes"))
        .map(({ type, memory: m }) => m?.kind ?? type)
        .sort();
    expect(await types({})).toEqual(["episode", "fact", "turn"]);
    expect(await types({ from: "memories" })).toEqual(["episode", "fact"]);
    expect(await types({ from: "turns" })).toEqual(["turn"]);
    expect(await types({ kinds: ["episode"] })).toEqual(["episode"]);
    expect(await types({ kinds: [] })).toEqual([]);
  });

  it("searches the state at a past time", async () => {
    const { memory, clock } = await openMemory();
    for (const city of ["Rome", "Oslo", "Bern"]) {
      await memory.remember({ text: `User lives in ${city}` });
      clock.pass(100);
    }
    const then = (asOf: number | string | Date) => textsOf(memory, "Where does the user live?", { asOf });
    expect(await then(START + 50)).toEqual(["User lives in Rome"]);
    expect(await then(new Date(START + 150))).toEqual(["User lives in Oslo"]);
    expect(await then(new Date(START + 100).toISOString())).toEqual(["User lives in Oslo"]);
    expect(await then(START + 1_000)).toEqual(["User lives in Bern"]);
    expect(await then(START - 1)).toEqual([]);
    expect(await textsOf(memory, "Where does the user live?")).toEqual(["User lives in Bern"]);
  });

  it("never returns superseded, archived or erased memories", async () => {
    const { memory, clock } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    const { memory: milk } = await memory.remember({ text: "User likes milk" });
    await memory.remember({ text: "User lives in Rome" });
    clock.pass(1);
    await memory.remember({ text: "User lives in Oslo" });
    await memory.forget(tea.id);
    await memory.purge(milk.id);
    expect((await textsOf(memory, "tea milk Rome Oslo likes lives")).sort()).toEqual(["User lives in Oslo"]);
    await memory.update(tea.id, { archived: false });
    expect(await textsOf(memory, "tea")).toContain("User likes tea");
  });

  it("respects limit and token budget, with shorter levels if needed", async () => {
    const { memory } = await openMemory();
    for (let n = 0; n < 20; n += 1) {
      const why = "because of its strong support for JSON operations and the existing expertise of the team";
      await memory.remember({ text: `The team decided to use Postgres${n} as the database of service ${n} ${why}.` });
    }
    expect(await memory.recall("database of service", { cut: "none" })).toHaveLength(10);
    expect(await memory.recall("database of service", { cut: "none", limit: 3 })).toHaveLength(3);
    for (const budget of [0, 1, 5, 20, 60, 200, 1_000]) {
      const hits = await memory.recall("database of service", { cut: "none", limit: 20, budget });
      expect(hits.reduce((sum, { text }) => sum + countTokens(text), 0)).toBeLessThanOrEqual(budget);
    }
    expect((await memory.recall("database of service", { cut: "none", budget: 40 })).length).toBeGreaterThan(0);
  });

  it("counts use of returned memories only", async () => {
    const { memory, clock } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes green tea" });
    const { memory: other } = await memory.remember({ text: "The build takes nine minutes" });
    clock.pass(5);
    await memory.recall("green tea", { limit: 1, cut: "none" });
    await memory.recall("green tea", { limit: 1, cut: "none" });
    await memory.recall("green tea", { budget: 0 });
    expect((await memory.get(tea.id))?.usage).toEqual({
      retrieved: 2,
      cited: 0,
      ignored: 0,
      lastAccessedAt: START + 5,
    });
    expect((await memory.get(other.id))?.usage.retrieved).toBe(0);
    expect(await memory.journal()).toHaveLength(2);
  });

  it("returns nothing for an empty query, and accepts a very long one", async () => {
    const { memory } = await openMemory();
    await memory.remember({ text: "User likes green tea" });
    expect(await memory.recall("")).toEqual([]);
    expect(await memory.recall(" \u200b\n")).toEqual([]);
    expect(await textsOf(memory, `tea ${"and so on ".repeat(50_000)}`)).toEqual(["User likes green tea"]);
  });

  it.each([
    { limit: 0 },
    { limit: 1.5 },
    { limit: Number.NaN },
    { limit: 1e9 },
    { budget: -1 },
    { budget: Number.NaN },
    { cut: "sharp" },
    { from: "nowhere" },
    { scope: "mine" },
    { asOf: "once upon a time" },
    { kinds: ["dream"] },
    { kinds: "fact" },
  ])("refuses %j", async (options) => {
    const { memory } = await openMemory();
    await expect(memory.recall("tea", options as RecallOptions)).rejects.toBeInstanceOf(InvalidOptionError);
    await expect(memory.recall(5 as unknown as string)).rejects.toBeInstanceOf(InvalidOptionError);
  });
});

describe("visibility of recalled memories", () => {
  it("includes private, project and system memories", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    const adaElsewhere = await openBeside(ada, { userId: "ada", projectId: "blog" });
    const adaAnywhere = await openBeside(ada, { userId: "ada" });
    const bob = await openBeside(ada, { userId: "bob", projectId: "shop" });
    const eve = await openBeside(ada, { userId: "eve" });
    await ada.memory.remember({ text: "Tea one, private in the shop" });
    await ada.memory.remember({ text: "Tea two, shared in the shop", scope: "project-shared" });
    await ada.memory.remember({ text: "Tea three, for everybody", scope: "system" });
    await adaAnywhere.memory.remember({ text: "Tea four, of no project" });
    await ada.memory.ingest({ sessionId: "s", messages: [{ role: "user", text: "Tea five, said in the shop" }] });
    const seen = async ({ memory }: typeof ada, options?: RecallOptions) =>
      (await textsOf(memory, "tea", options)).map((text) => text.split(" ")[1]?.replace(",", "")).sort();
    expect(await seen(ada)).toEqual(["five", "four", "one", "three", "two"]);
    expect(await seen(adaElsewhere)).toEqual(["four", "three"]);
    expect(await seen(adaAnywhere)).toEqual(["four", "three"]);
    expect(await seen(bob)).toEqual(["three", "two"]);
    expect(await seen(eve)).toEqual(["three"]);
    expect(await seen(ada, { scope: "project-shared" })).toEqual(["two"]);
    expect(await seen(ada, { scope: "user-private" })).toEqual(["five", "four", "one"]);
    expect(await seen(eve, { scope: "project-shared" })).toEqual([]);
  });

  it("is consistent for two services on one store", async () => {
    const one = await openMemory({ userId: "ada" });
    const two = await openBeside(one, { userId: "ada" });
    const { memory: tea } = await one.memory.remember({ text: "User likes green tea" });
    expect(await textsOf(two.memory, "green tea")).toEqual(["User likes green tea"]);
    await two.memory.forget(tea.id);
    expect(await textsOf(one.memory, "green tea")).toEqual([]);
    await one.memory.update(tea.id, { archived: false });
    await two.memory.purge(tea.id);
    expect(await textsOf(one.memory, "green tea")).toEqual([]);
    expect(await one.memory.get(tea.id)).toBeUndefined();
  });
});
