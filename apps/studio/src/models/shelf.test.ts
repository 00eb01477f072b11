import { describe, expect, it } from "vitest";
import { createModelShelf } from "./create-model-shelf.ts";
import { bareShelf, stateWhere } from "./test/bare-shelf.ts";
import { memoryStorage } from "./test/memory-storage.ts";
import { pageModel } from "./test/page-model.ts";

const OLLAMA = { label: "Ollama", baseUrl: "http://localhost:11434/v1", modelId: "llama3.2" };

describe("the shelf", () => {
  it("has no model until one is chosen, and fetches nothing", async () => {
    const fetched: string[] = [];
    const fetchIt: typeof fetch = async (input) => {
      fetched.push(String(input));
      return new Response("", { status: 404 });
    };
    const shelf = bareShelf({ fetch: fetchIt, origin: "https://chat.example" });
    await shelf.look();
    expect(shelf.getSnapshot()).not.toHaveProperty("current");
    expect(new Set(fetched)).toEqual(new Set(["https://chat.example/v1/models"]));
  });

  it("gives the same state until it is another one", async () => {
    const shelf = bareShelf();
    await shelf.look();
    expect(shelf.getSnapshot()).toBe(shelf.getSnapshot());
  });

  it("opens an endpoint again on the next visit", async () => {
    const storage = memoryStorage();
    const first = bareShelf({ storage });
    const { id } = await first.saveEndpoint(OLLAMA);
    await first.choose(`endpoint:${id}`);
    const later = bareShelf({ storage });
    const { current } = await stateWhere(later, ({ current }) => current !== undefined);
    expect(current).toMatchObject({ label: "Ollama", modelId: "llama3.2", place: "device", host: "localhost:11434" });
  });

  it("opens nothing on the next visit when the model was put away", async () => {
    const storage = memoryStorage();
    const first = bareShelf({ storage });
    const { id } = await first.saveEndpoint(OLLAMA);
    await first.choose(`endpoint:${id}`);
    await first.choose(undefined);
    const later = bareShelf({ storage });
    await later.look();
    await new Promise((resolve) => setTimeout(resolve));
    expect(later.getSnapshot()).not.toHaveProperty("current");
  });

  it("says so when a choice is not there, and what was in use stays", async () => {
    const shelf = bareShelf({ promptApi: pageModel() });
    await shelf.choose("built-in");
    for (const choiceId of ["endpoint:gone", "web-llm:gone", "gone"]) {
      await shelf.choose(choiceId);
      expect(shelf.getSnapshot()).toMatchObject({
        current: { choiceId: "built-in" },
        problem: expect.stringMatching(/removed|no longer/),
      });
    }
  });

  it("forgets a problem with the next choice", async () => {
    const shelf = bareShelf({ promptApi: pageModel() });
    await shelf.choose("gone");
    expect(shelf.getSnapshot().problem).toBeDefined();
    await shelf.choose("built-in");
    expect(shelf.getSnapshot()).not.toHaveProperty("problem");
  });

  it("opens a model once, however often it is chosen", async () => {
    const api = pageModel();
    const shelf = bareShelf({ promptApi: api });
    await Promise.all([shelf.choose("built-in"), shelf.choose("built-in")]);
    await shelf.choose("built-in");
    expect(api.created).toHaveLength(1);
  });

  it("can be made where there is no browser at all", () => {
    expect(createModelShelf().getSnapshot().choices.length).toBeGreaterThan(0);
  });
});
