import { describe, expect, it } from "vitest";
import { NotFoundError } from "../../errors/store-errors.ts";
import { DAY } from "../../internal/time.ts";
import type { MemoryService } from "../memory-service.ts";
import { openBeside, openMemory, START } from "../open-memory.fixture.ts";
import type { BrowseOptions } from "./memory-browser.ts";

const texts = async (memory: MemoryService, options?: BrowseOptions): Promise<readonly string[]> => {
  const { items } = await (await memory.browser()).page(options);
  return items.map((item) => item.memory.levels.full);
};

describe("a page of memories", () => {
  it("has the last mentioned memories first, and the number of all", async () => {
    const { memory, clock } = await openMemory();
    for (let n = 0; n < 7; n += 1) {
      await memory.remember({ text: `Machine ${n} is in hall ${n}` });
      clock.pass(1);
    }
    const browser = await memory.browser();
    const page = await browser.page({ offset: 2, limit: 3 });
    expect(page.total).toBe(7);
    expect(page.items.map((item) => item.memory.levels.full.slice(0, 9))).toEqual([
      "Machine 4",
      "Machine 3",
      "Machine 2",
    ]);
    expect((await browser.page({ order: "oldest", limit: 1 })).items[0]?.memory.levels.full).toMatch(/^Machine 0/);
    expect(await browser.page({ offset: 100 })).toEqual({ total: 7, items: [] });
  });

  it("is read in the order of the store at first, without the texts of all memories", async () => {
    const opened = await openMemory({ userId: "ada", projectId: "shop" });
    const { memory, store, clock } = opened;
    const other = await openBeside(opened, { userId: "ada", projectId: "garden" });
    for (let n = 0; n < 30; n += 1) {
      const { memory: saved } = await memory.remember({ text: `Machine ${n} is in hall ${n}` });
      if (n % 10 === 0) await memory.forget(saved.id);
      await other.memory.remember({ text: `Bed ${n} has roses of kind ${n}` });
      clock.pass(1);
    }
    const list = store.memories.list.bind(store.memories);
    const limits: unknown[] = [];
    const counting = {
      ...store,
      memories: Object.assign(Object.create(store.memories), {
        list: (space: string, collection: "memories", filter: { readonly limit?: number }) => {
          if (collection === "memories") limits.push(filter.limit);
          return list(space, collection, filter);
        },
      }),
    };
    const cold = await openMemory({ store: counting, clock, userId: "ada", projectId: "shop" });
    const wanted = { status: "current", offset: 3, limit: 5 } as const;
    const browser = await cold.memory.browser();
    const page = await browser.page(wanted);
    expect(limits.every((limit) => limit === 8 || limit === 32)).toBe(true);
    await browser.facets();
    expect(page).toEqual(await browser.page(wanted));
    expect(page.total).toBe(27);
    expect(page.items[0]?.memory.levels.full).toMatch(/^Machine 26/);
  });

  it("follows writes, archiving and erasing of this and of other processes", async () => {
    const first = await openMemory({ userId: "ada" });
    const second = await openBeside(first, { userId: "ada" });
    const { memory: bike } = await first.memory.remember({ text: "The bike is red" });
    expect(await texts(first.memory)).toEqual(["The bike is red"]);
    first.clock.pass(1);
    const { memory: car } = await second.memory.remember({ text: "The car is blue" });
    expect(await texts(first.memory)).toEqual(["The car is blue", "The bike is red"]);
    await second.memory.forget(bike.id);
    expect(await texts(first.memory, { status: "current" })).toEqual(["The car is blue"]);
    expect(await texts(first.memory, { status: "archived" })).toEqual(["The bike is red"]);
    await second.memory.purge(car.id);
    expect(await texts(first.memory)).toEqual(["The bike is red"]);
  });

  it("is filtered by kind, project, person, age and review", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    await ada.memory.remember({ text: "Ship with make ship", kind: "workflow" });
    await ada.memory.ingest({
      sessionId: "s",
      messages: [{ id: "m", role: "user", name: "Ben", text: "We always deploy on Fridays.", at: START - 40 * DAY }],
    });
    ada.clock.pass(DAY);
    await ada.memory.remember({ text: "User likes short answers", category: "preference" });
    expect(await texts(ada.memory, { kinds: ["workflow"] })).toEqual(["Ship with make ship"]);
    expect(await texts(ada.memory, { projectId: null })).toEqual(["User likes short answers"]);
    expect(await texts(ada.memory, { projectId: "shop", since: START })).toEqual(["Ship with make ship"]);
    const [said = ""] = await texts(ada.memory, { person: "Ben" });
    expect(said).toMatch(/Fridays/);
    expect(await texts(ada.memory, { before: START - DAY })).toEqual([said]);
    expect(await texts(ada.memory, { isNew: true })).toEqual([said]);
    const facets = await (await ada.memory.browser()).facets();
    expect(facets).toMatchObject({ kinds: { fact: 2, workflow: 1 }, statuses: { current: 3 }, toReview: 1 });
    expect(facets.projects).toEqual([{ id: "shop", count: 2 }, { count: 1 }]);
    expect(facets.people).toContainEqual({ name: "Ben", count: 1 });
  });

  it("leaves the review queue when a person accepts the memory, and returns without the mark", async () => {
    const { memory } = await openMemory();
    await memory.ingest({ sessionId: "s", messages: [{ role: "user", text: "I live in Lisbon." }] });
    const browser = await memory.browser();
    const [item] = (await browser.page({ isNew: true })).items;
    const id = item?.memory.id ?? "";
    expect((await memory.update(id, { reviewed: true })).reviewedAt).toBe(START);
    expect((await browser.page({ isNew: true })).total).toBe(0);
    expect(await memory.update(id, { reviewed: false })).not.toHaveProperty("reviewedAt");
    expect((await browser.page({ isNew: true })).total).toBe(1);
  });

  it("has the best matches of a query first, with reasons, and does not count as use", async () => {
    const { memory } = await openMemory();
    await memory.remember({ text: "The bakery opens at seven" });
    const { memory: deploy } = await memory.remember({ text: "We deploy on Fridays" });
    const { items, total } = await (await memory.browser()).page({ query: "When do we deploy?" });
    expect(items[0]?.memory.id).toBe(deploy.id);
    expect(items[0]?.reasons.join()).toMatch(/deploy/);
    expect(total).toBe(items.length);
    expect((await memory.get(deploy.id))?.usage.retrieved).toBe(0);
  });

  it("refuses an offset below 0 and a limit below 1", async () => {
    const browser = await (await openMemory()).memory.browser();
    await expect(browser.page({ offset: -1 })).rejects.toThrow(/offset/);
    await expect(browser.page({ limit: 0 })).rejects.toThrow(/limit/);
  });
});

describe("the history of a memory", () => {
  it("has the edited texts and the replaced memory, each with its time", async () => {
    const { memory, clock } = await openMemory();
    const { memory: first } = await memory.remember({ text: "The team uses Jest", key: "test_runner", value: "Jest" });
    clock.pass(DAY);
    await memory.update(first.id, { text: "The team uses Jest for unit tests" });
    clock.pass(DAY);
    const { memory: second } = await memory.remember({ text: "The team uses Vitest", replaces: first.id });
    const browser = await memory.browser();
    const { versions, changes } = await browser.history(second.id);
    expect(
      versions.map(({ text, from, until, isValid }) => [text, from - START, (until ?? 0) - START, isValid]),
    ).toEqual([
      ["The team uses Vitest", 2 * DAY, -START, true],
      ["The team uses Jest for unit tests", DAY, 2 * DAY, false],
      ["The team uses Jest", 0, DAY, false],
    ]);
    expect(changes.map(({ action }) => action)).toContain("update");
    expect(await browser.history(first.id)).toEqual({ versions, changes });
    const then = await browser.history(second.id, { asOf: START + DAY / 2 });
    expect(then.versions.filter(({ isValid }) => isValid).map(({ text }) => text)).toEqual(["The team uses Jest"]);
  });

  it("is refused for a memory of another user", async () => {
    const ada = await openMemory({ userId: "ada" });
    const ben = await openBeside(ada, { userId: "ben" });
    const { memory } = await ada.memory.remember({ text: "Ada likes tea" });
    await expect((await ben.memory.browser()).history(memory.id)).rejects.toThrow(NotFoundError);
  });
});

describe("the evidence of a memory", () => {
  const source = { sessionId: "s", messageId: "m" };

  it("is the stored message with the range of the quoted words", async () => {
    const { memory } = await openMemory();
    const said = `${"Some words before it. ".repeat(400)}We deploy\n  on Fridays. ${"More words. ".repeat(400)}`;
    await memory.ingest({ sessionId: "s", messages: [{ id: "m", role: "user", text: said, extract: false }] });
    const { memory: deploy } = await memory.remember({
      text: "Deploys happen on Fridays",
      source: { ...source, quote: "We deploy on Fridays." },
    });
    const [evidence] = await (await memory.browser()).evidence(deploy.id);
    expect(evidence).toMatchObject({ isVerbatim: true, message: { role: "user", isCut: true } });
    const { start = 0, end = 0 } = evidence?.match ?? {};
    expect(evidence?.message?.text.slice(start, end)).toBe("We deploy\n  on Fridays.");
  });

  it("says that the message does not contain the quote", async () => {
    const { memory } = await openMemory();
    await memory.ingest({ sessionId: "s", messages: [{ id: "m", role: "user", text: "Hello.", extract: false }] });
    const input = { text: "Deploys happen on Fridays", source: { ...source, quote: "We (maybe) deploy [*" } };
    const { memory: deploy } = await memory.remember(input);
    const [evidence] = await (await memory.browser()).evidence(deploy.id);
    expect(evidence).toMatchObject({ isVerbatim: false, message: { text: "Hello.", isCut: false } });
    expect(evidence).not.toHaveProperty("match");
  });

  it("has no message if none is stored", async () => {
    const { memory } = await openMemory();
    const { memory: deploy } = await memory.remember({ text: "Deploys happen on Fridays", source });
    const [evidence] = await (await memory.browser()).evidence(deploy.id);
    expect(evidence).toEqual(source);
  });

  it("is read by id together with memories", async () => {
    const { memory } = await openMemory();
    const messages = [{ id: "m", role: "user", text: "Hello.", extract: false }];
    const { turns } = await memory.ingest({ sessionId: "s", messages });
    const { memory: deploy } = await memory.remember({ text: "Deploys happen on Fridays" });
    const items = await (await memory.browser()).items([deploy.id, turns[0] ?? "", "none"]);
    expect([...items.keys()]).toEqual([deploy.id, turns[0]]);
    expect(items.get(turns[0] ?? "")).toMatchObject({ text: "Hello." });
  });
});
