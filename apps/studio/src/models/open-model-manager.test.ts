import { describe, expect, it } from "vitest";
import { createModelManager } from "./create-model-manager.ts";
import { bareModelManager, stateWhere } from "./test/bare-model-manager.fixture.ts";
import { memoryStorage } from "./test/memory-storage.ts";
import { pageModel } from "./test/page-model.ts";

const OLLAMA = { label: "Ollama", baseUrl: "http://localhost:11434/v1", modelId: "llama3.2" };

describe("the manager", () => {
  it("has no model until one is chosen, and fetches nothing", async () => {
    const fetched: string[] = [];
    const fetchIt: typeof fetch = async (input) => {
      fetched.push(String(input));
      return new Response("", { status: 404 });
    };
    const manager = bareModelManager({ fetch: fetchIt, origin: "https://chat.example" });
    await manager.look();
    expect(manager.getSnapshot()).not.toHaveProperty("current");
    expect(new Set(fetched)).toEqual(new Set(["https://chat.example/v1/models"]));
  });

  it("returns the same state object until it changes", async () => {
    const manager = bareModelManager();
    await manager.look();
    expect(manager.getSnapshot()).toBe(manager.getSnapshot());
  });

  it("opens an endpoint again on the next visit", async () => {
    const storage = memoryStorage();
    const first = bareModelManager({ storage });
    const { id } = await first.saveEndpoint(OLLAMA);
    await first.choose(`endpoint:${id}`);
    const later = bareModelManager({ storage });
    const { current } = await stateWhere(later, ({ current }) => current !== undefined);
    expect(current).toMatchObject({ label: "Ollama", modelId: "llama3.2", place: "device", host: "localhost:11434" });
  });

  it("opens a model again that was being opened when the page was reloaded", async () => {
    const storage = memoryStorage();
    const opening = Promise.withResolvers<never>();
    const leaving: (() => void)[] = [];
    const api = pageModel();
    const slow = { ...api, availability: () => api.availability(), create: () => opening.promise };
    const first = bareModelManager({ storage, promptApi: slow, onLeave: (listener) => leaving.push(listener) });
    void first.choose("built-in");
    await stateWhere(first, ({ loading }) => loading !== undefined);
    for (const leave of leaving) leave();
    const later = bareModelManager({ storage, promptApi: api });
    const { current } = await stateWhere(later, ({ current }) => current !== undefined);
    expect(current?.choiceId).toBe("built-in");
  });

  it("opens nothing on the next visit when the model was closed", async () => {
    const storage = memoryStorage();
    const first = bareModelManager({ storage });
    const { id } = await first.saveEndpoint(OLLAMA);
    await first.choose(`endpoint:${id}`);
    await first.choose(undefined);
    const later = bareModelManager({ storage });
    await later.look();
    await new Promise((resolve) => setTimeout(resolve));
    expect(later.getSnapshot()).not.toHaveProperty("current");
  });

  it("shows an error if a choice is missing, and the current model stays", async () => {
    const manager = bareModelManager({ promptApi: pageModel() });
    await manager.choose("built-in");
    for (const choiceId of ["endpoint:gone", "web-llm:gone", "gone"]) {
      await manager.choose(choiceId);
      expect(manager.getSnapshot()).toMatchObject({
        current: { choiceId: "built-in" },
        problem: expect.stringMatching(/removed|no longer/),
      });
    }
  });

  it("forgets a problem with the next choice", async () => {
    const manager = bareModelManager({ promptApi: pageModel() });
    await manager.choose("gone");
    expect(manager.getSnapshot().problem).toBeDefined();
    await manager.choose("built-in");
    expect(manager.getSnapshot()).not.toHaveProperty("problem");
  });

  it("opens a model once for repeated choices", async () => {
    const api = pageModel();
    const manager = bareModelManager({ promptApi: api });
    await Promise.all([manager.choose("built-in"), manager.choose("built-in")]);
    await manager.choose("built-in");
    expect(api.created).toHaveLength(1);
  });

  it("can be created without a browser", () => {
    expect(createModelManager().getSnapshot().choices.length).toBeGreaterThan(0);
  });
});
