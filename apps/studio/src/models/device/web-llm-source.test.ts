import * as webLlm from "@mlc-ai/web-llm";
import { describe, expect, it } from "vitest";
import type { BrowserEnvironment } from "../create-model-manager.ts";
import type { EngineScript } from "../test/engine-worker.ts";
import { CHOICE, F16, F32, gpuWith, managerWith, named, never, withWebGpu } from "../test/web-llm-manager.fixture.ts";
import { CATALOG } from "./web-llm-source.ts";

const { prebuiltAppConfig } = webLlm as unknown as {
  readonly prebuiltAppConfig: {
    readonly model_list: readonly {
      readonly model_id: string;
      readonly vram_required_MB: number;
      readonly overrides: { readonly context_window_size: number };
    }[];
  };
};

withWebGpu();

const fails = (error: unknown): EngineScript => ({
  reload: async () => {
    throw error;
  },
});

describe("the list of models", () => {
  it.each(CATALOG)(
    "has $label as WebLLM has it, in both kinds, with its limit",
    ({ f16, f32, contextLimit, downloadMb }) => {
      for (const modelId of [f16, f32]) {
        const record = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === modelId);
        expect(record?.overrides.context_window_size).toBe(contextLimit);
        expect(record?.vram_required_MB).toBeGreaterThan(downloadMb);
      }
    },
  );

  it("names the size of the download and that messages stay on the device", () => {
    const { choice } = managerWith({});
    expect(choice()).toMatchObject({
      place: "device",
      detail: "Small and fast. Download of about 290 MB. Stays on this device",
    });
  });

  it("does not load WebLLM for the list if no model was ever downloaded", async () => {
    const { manager, loads, choice } = managerWith({});
    await manager.look();
    expect(loads()).toBe(0);
    expect(choice()?.unavailable).toBeUndefined();
  });

  it("marks downloaded models", async () => {
    const { manager, choice } = managerWith({}, {}, [F16]);
    await manager.look();
    expect(choice()?.detail).toBe("Small and fast. Downloaded. Stays on this device");
  });

  it("offers a download if the cache cannot be read", async () => {
    const { manager, choice } = managerWith({}, { loadWebLlm: () => Promise.reject(new Error("offline")) }, [F16]);
    await manager.look();
    expect(choice()?.detail).toContain("Download of about");
  });
});

describe("a device that cannot", () => {
  const none: readonly [why: string, given: Partial<BrowserEnvironment>, words: RegExp][] = [
    ["has no WebGPU", { gpu: undefined }, /no WebGPU/],
    ["has no adapter", { gpu: { requestAdapter: async () => null } }, /no graphics card/],
    ["fails to give one", { gpu: { requestAdapter: () => Promise.reject(new Error("driver")) } }, /no graphics card/],
    ["has an unsafe address", { isSecure: false }, /https/],
  ];

  it.each(none)(
    "%s: each model is shown as unavailable, with the reason, and cannot be opened",
    async (_, given, words) => {
      const { manager, workers, loads } = managerWith({}, given);
      await manager.look();
      const models = manager.getSnapshot().choices.filter(({ id }) => id.startsWith("web-llm:"));
      expect(models).toHaveLength(CATALOG.length);
      for (const { unavailable } of models) expect(unavailable).toMatch(words);
      await manager.choose(CHOICE);
      expect(manager.getSnapshot()).toMatchObject({ problem: expect.stringMatching(words) });
      expect([workers.length, loads()]).toEqual([0, 0]);
    },
  );

  it("gets the model variant that its graphics card supports", async () => {
    for (const [gpu, modelId] of [
      [gpuWith("shader-f16"), F16],
      [gpuWith(), F32],
    ] as const) {
      const { manager } = managerWith({}, { gpu });
      await manager.choose(CHOICE);
      expect(manager.getSnapshot().current).toMatchObject({ modelId, contextLimit: 4_096, place: "device" });
    }
  });
});

describe("opening", () => {
  it("shows the progress of the download in plain words", async () => {
    const { manager } = managerWith({
      reload: async (report) => {
        report(0, "Start to fetch params");
        report(0.5, "Fetching param cache[4/8]: 140MB fetched. 50% completed, 3 secs elapsed.");
        report(0.25, "Loading model from cache[2/8]: 70MB loaded.");
        report(0.9, "Loading GPU shader modules[9/10]: 90% completed");
      },
    });
    await manager.look();
    const seen: unknown[] = [];
    manager.subscribe(() => {
      const { loading } = manager.getSnapshot();
      if (loading) seen.push([loading.text, loading.progress]);
    });
    await manager.choose(CHOICE);
    expect(seen).toEqual([
      ["Opening", undefined],
      ["Preparing the model", undefined],
      ["Preparing the graphics card", undefined],
      ["Downloading: 145 MB of about 290 MB", 0.5],
      ["Opening from this device", 0.25],
      ["Preparing the graphics card", undefined],
    ]);
    expect(manager.getSnapshot().current?.choiceId).toBe(CHOICE);
    expect(manager.getSnapshot().choices.find(({ id }) => id === CHOICE)?.detail).toContain("Downloaded");
  });

  it("ends when it is cancelled: the worker is gone and the current model stays", async () => {
    const { manager, workers } = managerWith({
      reload: (_, modelId) => (modelId === F16 ? Promise.resolve() : never()),
    });
    await manager.choose(CHOICE);
    const choosing = manager.choose("web-llm:Llama-3.2-3B");
    await expect.poll(() => workers.length).toBe(2);
    manager.cancel();
    await choosing;
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false, true]);
    expect(manager.getSnapshot()).toMatchObject({ current: { choiceId: CHOICE } });
    expect(manager.getSnapshot()).not.toHaveProperty("loading");
    expect(manager.getSnapshot()).not.toHaveProperty("problem");
  });

  it("of another one ends the first", async () => {
    const { manager, workers } = managerWith({
      reload: (_, modelId) => (modelId === F16 ? never() : Promise.resolve()),
    });
    const first = manager.choose(CHOICE);
    await expect.poll(() => workers.length).toBe(1);
    await manager.choose("web-llm:Llama-3.2-1B");
    await first;
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    expect(manager.getSnapshot().current?.choiceId).toBe("web-llm:Llama-3.2-1B");
  });

  it("of another one releases the first one's memory when it is ready", async () => {
    const { manager, workers } = managerWith({});
    await manager.choose(CHOICE);
    await manager.choose("web-llm:Llama-3.2-1B");
    await manager.choose(undefined);
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });

  it.each([
    [
      "a lost device",
      named("DeviceLostError", "The WebGPU device was lost while loading the model. (OOM)"),
      /isn't enough graphics memory for Qwen 2\.5 0\.5B.*smaller model/,
    ],
    ["a failed allocation", new RangeError("Array buffer allocation failed"), /isn't enough graphics memory/],
    [
      "a full disk",
      named("QuotaExceededError", "Quota exceeded."),
      /isn't enough space on this device.*Free some space/,
    ],
    ["a broken download", new TypeError("Failed to fetch"), /download of Qwen 2\.5 0\.5B was interrupted.*is saved/],
    ["a missing file", new Error("Cannot fetch https://x/params_shard_1.bin err= 404"), /was interrupted/],
    [
      "a card that is too small",
      new Error("Cannot initialize runtime because of requested maxBufferSize exceeds limit."),
      /graphics card can't run/,
    ],
    [
      "a card without half precision",
      named("ShaderF16SupportError", "This model requires WebGPU extension shader-f16"),
      /graphics card can't run/,
    ],
    [
      "no WebGPU after all",
      named("WebGPUNotAvailableError", "WebGPU is not supported in your current environment"),
      /graphics card can't run/,
    ],
    ["something else", new Error("bad tokenizer"), /couldn't be opened: bad tokenizer\./],
  ])("is explained for %s, and stores nothing", async (_, error, words) => {
    const { manager, workers } = managerWith(fails(error));
    await manager.choose(CHOICE);
    const { problem, current, loading } = manager.getSnapshot();
    expect(problem).toMatch(words);
    expect(problem).toContain("Your conversation is unchanged.");
    expect([current, loading, workers[0]?.isTerminated]).toEqual([undefined, undefined, true]);
  });

  it("fails with an explanation when the worker dies, instead of waiting forever", async () => {
    const { manager, workers } = managerWith({ reload: never });
    const choosing = manager.choose(CHOICE);
    await expect.poll(() => workers.length).toBe(1);
    workers[0]?.crash("SyntaxError");
    await choosing;
    expect(manager.getSnapshot().problem).toMatch(/couldn't be opened: The worker stopped: SyntaxError\./);
  });

  it("fails with an explanation when WebLLM itself cannot be loaded", async () => {
    const load = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
    const { manager } = managerWith({}, { loadWebLlm: load });
    await manager.choose(CHOICE);
    expect(manager.getSnapshot().problem).toMatch(/was interrupted/);
  });

  it("works the next time after it failed", async () => {
    let tries = 0;
    const { manager } = managerWith({
      reload: async () => {
        if (++tries === 1) throw new TypeError("Failed to fetch");
      },
    });
    await manager.choose(CHOICE);
    await manager.choose(CHOICE);
    expect(manager.getSnapshot().current?.choiceId).toBe(CHOICE);
    expect(manager.getSnapshot().problem).toBeUndefined();
  });
});
