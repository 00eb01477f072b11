import { generateText, jsonSchema, Output } from "ai";
import { describe, expect, it } from "vitest";
import { ask } from "../test/ask.ts";
import { bareModelManager, stateWhere } from "../test/bare-model-manager.fixture.ts";
import { memoryStorage } from "../test/memory-storage.ts";
import { pageModel } from "../test/page-model.ts";
import type { PromptApi } from "./prompt-api.ts";

function managerWith(promptApi: PromptApi | undefined, storage = memoryStorage()) {
  const manager = bareModelManager({ promptApi, storage });
  const choice = () => manager.getSnapshot().choices.find(({ id }) => id === "built-in");
  return { manager, choice };
}

async function opened(api: PromptApi) {
  const { manager } = managerWith(api);
  await manager.choose("built-in");
  return manager;
}

describe("the browser's own model, as a choice", () => {
  it.each([
    ["there is none", undefined, /Not included in this browser/],
    ["this device cannot run it", pageModel({ availability: "unavailable" }), /Not supported on this device/],
    ["the browser will not say", pageModel({ availability: new Error("no") }), /Not supported on this device/],
  ])("is unavailable where %s, with the reason", async (_, api, words) => {
    const { manager, choice } = managerWith(api);
    await manager.look();
    expect(choice()?.unavailable).toMatch(words);
    await manager.choose("built-in");
    expect(manager.getSnapshot().problem).toMatch(words);
  });

  it.each([
    ["available", /Comes with your browser\. Stays on this device/],
    ["downloadable", /Downloads once.*Stays on this device/],
    ["downloading", /is downloading it/],
  ] as const)("says what it means that it is %s", async (availability, words) => {
    const { manager, choice } = managerWith(pageModel({ availability }));
    await manager.look();
    expect(choice()?.unavailable).toBeUndefined();
    expect(choice()?.detail).toMatch(words);
  });
});

describe("opening the browser's own model", () => {
  it("shows the progress of the download", async () => {
    const { manager } = managerWith(
      pageModel({
        availability: "downloadable",
        create: async (_, download) => {
          download(0.25);
          download(1);
        },
      }),
    );
    const seen: unknown[] = [];
    manager.subscribe(() => {
      const { loading } = manager.getSnapshot();
      if (loading) seen.push([loading.text, loading.progress]);
    });
    await manager.choose("built-in");
    expect(seen).toContainEqual(["Your browser is downloading its model", 0.25]);
    expect(seen.at(-1)).toEqual(["Opening", undefined]);
    expect(manager.getSnapshot().current?.choiceId).toBe("built-in");
  });

  it.each([
    [{ contextWindow: 9_216, inputQuota: 6_144 }, 9_216],
    [{ inputQuota: 6_144 }, 6_144],
    [{ contextWindow: Number.POSITIVE_INFINITY }, 4_096],
    [{}, 4_096],
  ])("takes %j for its limit: %d", async (numbers, contextLimit) => {
    const manager = await opened(pageModel({ numbers }));
    expect(manager.getSnapshot().current).toMatchObject({ contextLimit, place: "device" });
  });

  it("ends when it is cancelled", async () => {
    const api = pageModel({ availability: "downloadable", create: () => new Promise(() => undefined) });
    const { manager } = managerWith(api);
    const choosing = manager.choose("built-in");
    await expect.poll(() => api.created.length).toBe(1);
    manager.cancel();
    await choosing;
    expect(api.created[0]?.signal?.aborted).toBe(true);
    expect(manager.getSnapshot()).not.toHaveProperty("problem");
    expect(manager.getSnapshot()).not.toHaveProperty("current");
  });

  it.each([
    ["NotAllowedError", /didn't allow.*click/],
    ["NetworkError", /download.*interrupted/],
    ["OperationError", /couldn't open its model: because/],
  ])("is explained for %s", async (name, words) => {
    const create = () => Promise.reject(new DOMException("because", name));
    const { manager } = managerWith(pageModel({ create }));
    await manager.choose("built-in");
    expect(manager.getSnapshot().problem).toMatch(words);
    expect(manager.getSnapshot().problem).toContain("Your conversation is unchanged.");
  });

  it("happens automatically on the next visit only without a download", async () => {
    for (const availability of ["available", "downloadable"] as const) {
      const storage = memoryStorage();
      storage.setItem("throughline.models.choice", "built-in");
      const api = pageModel({ availability });
      const { manager } = managerWith(api, storage);
      if (availability === "available") await stateWhere(manager, ({ current }) => current !== undefined);
      await manager.look();
      await new Promise((resolve) => setTimeout(resolve));
      expect(api.created).toHaveLength(availability === "available" ? 1 : 0);
    }
  });
});

describe("answering with the browser's own model", () => {
  it("streams, with the system prompt first and the last message as the question", async () => {
    const api = pageModel({
      answer: async function* () {
        yield "Hello";
        yield " there";
      },
    });
    const manager = await opened(api);
    expect(await ask(manager.getSnapshot().current, "Hi")).toMatchObject({ text: "Hello there" });
    expect(api.created.at(-1)?.initialPrompts).toEqual([{ role: "system", content: "Be kind." }]);
    expect(api.prompted).toEqual([{ input: [{ role: "user", content: "Hi" }], constraint: undefined }]);
  });

  it("passes the earlier conversation", async () => {
    const api = pageModel();
    const model = (await opened(api)).getSnapshot().current?.languageModel ?? "none";
    await generateText({
      model,
      messages: [
        { role: "user", content: "My name is Ada." },
        { role: "assistant", content: "Hello Ada." },
        { role: "user", content: "Who am I?" },
      ],
    });
    expect(api.created.at(-1)?.initialPrompts).toHaveLength(2);
    expect(api.prompted).toMatchObject([{ input: [{ content: "Who am I?" }] }]);
  });

  it("forwards the response format, and warns of unsupported options", async () => {
    const api = pageModel({
      answer: async function* () {
        yield '{"a":1}';
      },
    });
    const model = (await opened(api)).getSnapshot().current?.languageModel ?? "none";
    const schema = { type: "object", properties: { a: { type: "number" } } } as const;
    const output = Output.object({ schema: jsonSchema<{ a: number }>(schema) });
    const result = await generateText({ model, prompt: "One", output, temperature: 0.2 });
    expect(result.output).toEqual({ a: 1 });
    expect(api.prompted).toMatchObject([{ constraint: schema }]);
    expect(result.warnings).toEqual([{ type: "unsupported", feature: "temperature" }]);
  });

  it("leaves no session open, however an answer ends, except the one that keeps the model loaded", async () => {
    const stop = new AbortController();
    const api = pageModel({
      answer: async function* () {
        yield "Once";
        if (api.created.length === 2) return;
        if (api.created.length === 3) throw new DOMException("broke", "UnknownError");
        await new Promise(() => undefined);
      },
    });
    const manager = await opened(api);
    const { current } = manager.getSnapshot();
    expect(await ask(current)).toMatchObject({ text: "Once" });
    expect(await ask(current)).toMatchObject({ text: "Once", error: { problem: "failed" } });
    expect(await ask(current, "Go", { signal: stop.signal, onText: () => stop.abort() })).toEqual({ text: "Once" });
    expect(api.open()).toBe(1);
    await manager.choose(undefined);
    expect(api.open()).toBe(0);
  });

  it.each([
    ["QuotaExceededError", "too-long", /too long for your browser's model/],
    ["NotSupportedError", "failed", /language or form/],
    ["UnknownError", "failed", /couldn't reply: because/],
  ])("is explained for %s", async (name, problem, words) => {
    const api = pageModel({
      // biome-ignore lint/correctness/useYield: it fails before its first word.
      answer: async function* () {
        throw new DOMException("because", name);
      },
    });
    const { error } = await ask((await opened(api)).getSnapshot().current);
    expect(error).toMatchObject({ problem, message: expect.stringMatching(words) });
  });

  it("ends with an explanation when the model is closed, instead of waiting forever", async () => {
    const api = pageModel({
      answer: async function* () {
        yield "Once";
        await new Promise(() => undefined);
      },
    });
    const manager = await opened(api);
    const onText = () => void manager.choose(undefined);
    expect((await ask(manager.getSnapshot().current, "Hi", { onText })).error).toMatchObject({ problem: "closed" });
    expect(api.open()).toBe(0);
  });
});
