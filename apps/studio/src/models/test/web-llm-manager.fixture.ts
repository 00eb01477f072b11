import { afterAll, beforeAll } from "vitest";
import type { BrowserEnvironment } from "../create-model-manager.ts";
import { webLlmRuntime } from "../device/web-llm-runtime.ts";
import type { Gpu } from "../device/web-llm-source.ts";
import { bareModelManager } from "./bare-model-manager.fixture.ts";
import { type EngineScript, type EngineWorker, engineWorker } from "./engine-worker.ts";

export const CHOICE = "web-llm:Qwen2.5-0.5B";
export const F16 = "Qwen2.5-0.5B-Instruct-q4f16_1-MLC";
export const F32 = "Qwen2.5-0.5B-Instruct-q4f32_1-MLC";

/** The AI SDK's model over WebLLM looks it up here. */
export function withWebGpu(): void {
  beforeAll(() => Object.defineProperty(navigator, "gpu", { value: {}, configurable: true }));
  afterAll(() => Reflect.deleteProperty(navigator, "gpu"));
}

export function gpuWith(...features: string[]): Gpu {
  return { requestAdapter: async () => ({ features: new Set(features) }) };
}

/** A manager with WebLLM's own code over a scripted engine. */
export function managerWith(
  script: EngineScript,
  given: Partial<BrowserEnvironment> = {},
  downloaded: readonly string[] = [],
) {
  const workers: EngineWorker[] = [];
  let loads = 0;
  const newWorker = () => {
    const worker = engineWorker(script);
    workers.push(worker);
    return worker;
  };
  const manager = bareModelManager({
    gpu: gpuWith("shader-f16"),
    loadWebLlm: async () => {
      loads += 1;
      return webLlmRuntime({ newWorker, isDownloaded: async (modelId) => downloaded.includes(modelId) });
    },
    hasWebLlmDownloads: async () => downloaded.length > 0,
    ...given,
  });
  const choice = () => manager.getSnapshot().choices.find(({ id }) => id === CHOICE);
  return { manager, workers, choice, loads: () => loads };
}

export const never = () => new Promise<void>(() => undefined);

export function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
