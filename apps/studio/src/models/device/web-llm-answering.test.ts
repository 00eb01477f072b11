import { generateText } from "ai";
import { describe, expect, it } from "vitest";
import { ask } from "../test/ask.ts";
import { stateWhere } from "../test/bare-model-manager.fixture.ts";
import { memoryStorage } from "../test/memory-storage.ts";
import { CHOICE, F16, managerWith, named, never, withWebGpu } from "../test/web-llm-manager.fixture.ts";

withWebGpu();

describe("answering", () => {
  it("streams, and sends nothing anywhere", async () => {
    const asked: unknown[] = [];
    const { manager } = managerWith(
      {
        answer: async function* (request) {
          asked.push(request);
          yield "Hello";
          yield " there";
        },
      },
      { fetch: () => Promise.reject(new Error("Nobody should fetch.")) },
    );
    await manager.choose(CHOICE);
    expect(await ask(manager.getSnapshot().current, "Hi")).toMatchObject({ text: "Hello there" });
    expect(asked).toMatchObject([{ messages: [{ role: "system", content: "Be kind." }, { role: "user" }] }]);
  });

  it("stops when the user stops", async () => {
    let wasInterrupted = false;
    const { manager } = managerWith({
      answer: async function* (_, isInterrupted) {
        while (!isInterrupted()) yield "on and ";
        wasInterrupted = true;
      },
    });
    await manager.choose(CHOICE);
    const stop = new AbortController();
    const { error } = await ask(manager.getSnapshot().current, "Go", {
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(error).toBeUndefined();
    await expect.poll(() => wasInterrupted).toBe(true);
  });

  it.each([
    ["its device is lost", named("ModelNotLoadedError", "Model not loaded before trying to complete ChatCompletion.")],
    ["memory runs out", new Error("Out of memory")],
    ["it was unloaded under the answer", new Error("Object has already been disposed")],
  ])("shows an error when %s, and the model is no longer in use", async (_, error) => {
    const { manager, workers } = managerWith({
      answer: async function* () {
        yield "Once";
        throw error;
      },
    });
    await manager.choose(CHOICE);
    const answer = await ask(manager.getSnapshot().current);
    expect(answer).toMatchObject({ text: "Once", error: { problem: "lost" } });
    expect(manager.getSnapshot().problem).toMatch(/lost the graphics card.*unchanged.*smaller one/);
    expect([manager.getSnapshot().current, workers[0]?.isTerminated]).toEqual([undefined, true]);
    await manager.choose(CHOICE);
    expect(manager.getSnapshot().current?.choiceId).toBe(CHOICE);
  });

  it("explains the error for an answer in one piece too", async () => {
    const { manager } = managerWith({
      // biome-ignore lint/correctness/useYield: it fails before its first word.
      answer: async function* () {
        throw named("ContextWindowSizeExceededError", "Prompt tokens exceed context window size");
      },
    });
    await manager.choose(CHOICE);
    const model = manager.getSnapshot().current?.languageModel ?? "none";
    await expect(generateText({ model, prompt: "Hi", maxRetries: 0 })).rejects.toMatchObject({ problem: "too-long" });
    expect(manager.getSnapshot().current?.choiceId).toBe(CHOICE);
  });

  it("ends with an explanation when the worker dies or the model is closed, instead of waiting forever", async () => {
    for (const end of ["crash", "close"] as const) {
      const { manager, workers } = managerWith({
        answer: async function* () {
          yield "Once";
          await never();
        },
      });
      await manager.choose(CHOICE);
      const onText = () => (end === "crash" ? workers[0]?.crash("killed") : void manager.choose(undefined));
      const { error } = await ask(manager.getSnapshot().current, "Hi", { onText });
      expect(error).toMatchObject({ problem: end === "crash" ? "lost" : "closed" });
      expect(manager.getSnapshot().current).toBeUndefined();
    }
  });
});

describe("the next visit", () => {
  const visited = () => {
    const storage = memoryStorage();
    storage.setItem("throughline.models.choice", CHOICE);
    return storage;
  };

  it("opens the last model again where it is downloaded", async () => {
    const { manager } = managerWith({}, { storage: visited() }, [F16]);
    expect(await stateWhere(manager, ({ current }) => current !== undefined)).toMatchObject({
      current: { choiceId: CHOICE },
    });
  });

  it("downloads nothing on its own", async () => {
    const { manager, workers, loads } = managerWith({}, { storage: visited() });
    await manager.look();
    await new Promise((resolve) => setTimeout(resolve));
    expect([workers.length, loads(), manager.getSnapshot().loading]).toEqual([0, 0, undefined]);
  });

  it("does not open a model again that was being opened when the page ended", async () => {
    const storage = visited();
    const first = managerWith({ reload: never }, { storage }, [F16]);
    await expect.poll(() => first.workers.length).toBe(1);
    const second = managerWith({}, { storage }, [F16]);
    await second.manager.look();
    await new Promise((resolve) => setTimeout(resolve));
    expect(second.workers).toEqual([]);
    const third = managerWith({}, { storage }, [F16]);
    await stateWhere(third.manager, ({ current }) => current !== undefined);
  });

  it("does not replace a model that was chosen meanwhile", async () => {
    const { manager } = managerWith({}, { storage: visited() }, [F16]);
    await manager.choose("web-llm:Llama-3.2-1B");
    await manager.look();
    await new Promise((resolve) => setTimeout(resolve));
    expect(manager.getSnapshot().current?.choiceId).toBe("web-llm:Llama-3.2-1B");
  });
});
