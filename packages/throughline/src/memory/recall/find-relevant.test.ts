import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { openMemory } from "../open-memory.fixture.ts";

describe("relevance without usage", () => {
  it("does not depend on use or age", async () => {
    const { memory, clock } = await openMemory();
    const { memory: first } = await memory.remember({ text: "We deploy the shop with Terraform." });
    await memory.remember({ text: "We deploy the blog with Terraform." });
    const ask = async () =>
      (await memory.findRelevant("What do we deploy with Terraform?")).hits.map(({ id, score }) => [id, score]);
    const before = await ask();
    expect(before).toHaveLength(2);
    for (let times = 0; times < 9; times += 1) await memory.cite(first.id);
    clock.pass(90 * DAY);
    expect(await ask()).toEqual(before);
  });

  it("does not count as use", async () => {
    const { memory } = await openMemory();
    const { memory: fact } = await memory.remember({ text: "We deploy with Terraform." });
    await memory.findRelevant("What do we deploy with?");
    expect((await memory.get(fact.id))?.usage.retrieved).toBe(0);
    await memory.recall("What do we deploy with?");
    expect((await memory.get(fact.id))?.usage.retrieved).toBe(1);
  });

  it("reports a search by words only", async () => {
    const fails = { name: "broken", dimensions: 1, embed: () => Promise.reject(new Error("broken")) };
    const { memory } = await openMemory({ embedder: fails });
    await memory.remember({ text: "We deploy with Terraform." });
    expect(await memory.findRelevant("What do we deploy with?")).toMatchObject({
      byWordsAlone: true,
      hits: [{ type: "memory" }],
    });
    expect(await memory.findRelevant(" ")).toEqual({ byWordsAlone: false, hits: [] });
  });
});
