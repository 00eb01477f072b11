import { WebLLMLanguageModel } from "@browser-ai/web-llm";
import { hasModelInCache } from "@mlc-ai/web-llm";
import type { LoadedModel } from "../chat-model.ts";

/** Load progress of a model, as WebLLM reports it. */
export interface LoadReport {
  readonly progress: number;
  readonly text: string;
}

/** WebLLM, loaded on first use with everything that this file imports. */
export interface WebLlmRuntime {
  isDownloaded(modelId: string): Promise<boolean>;
  /** Rejects with WebLLM's message, or with the signal's reason. */
  open(modelId: string, options: { signal: AbortSignal; onReport(report: LoadReport): void }): Promise<RunningModel>;
}

export interface RunningModel {
  readonly languageModel: LoadedModel;
  /** Last error message of WebLLM since the previous call. */
  takeFailure(): string | undefined;
  /** Aborted when its worker dies. */
  readonly dead: AbortSignal;
  close(): void;
}

export interface RuntimeParts {
  readonly newWorker: () => Worker | Promise<Worker>;
  readonly isDownloaded: (modelId: string) => Promise<boolean>;
}

const browserParts: RuntimeParts = {
  newWorker: async () => {
    const { workerUrl } = await import("./web-llm-worker.ts");
    return new Worker(workerUrl, { type: "module" });
  },
  isDownloaded: (modelId) => hasModelInCache(modelId),
};

export function webLlmRuntime({ newWorker, isDownloaded }: RuntimeParts = browserParts): WebLlmRuntime {
  return {
    isDownloaded,
    async open(modelId, { signal, onReport }) {
      signal.throwIfAborted();
      const worker = await newWorker();
      signal.throwIfAborted();
      const watched = watchWorker(worker);
      const languageModel = new WebLLMLanguageModel(modelId, { worker, initProgressCallback: onReport });
      try {
        await Promise.race([
          languageModel.createSessionWithProgress(),
          rejectedWhen(signal),
          rejectedWhen(watched.dead),
        ]);
      } catch (error) {
        // The only way to stop a download and to free the memory of a failed one.
        worker.terminate();
        throw signal.aborted ? signal.reason : (watched.takeFailure() ?? error);
      }
      return { languageModel, ...watched, close: () => worker.terminate() };
    },
  };
}

/**
 * The AI SDK's model over WebLLM reports "Unknown error" for every failure in a worker, so the messages of the worker
 * are read here.
 */
function watchWorker(worker: Worker): Pick<RunningModel, "takeFailure" | "dead"> {
  const death = new AbortController();
  let failure: string | undefined;
  worker.addEventListener("message", ({ data }: MessageEvent) => {
    if (data?.kind === "throw") failure = String(data.content);
  });
  worker.addEventListener("error", ({ message }) => {
    failure = `The worker stopped: ${message || "it could not be loaded"}`;
    death.abort(new Error(failure));
  });
  const takeFailure = () => {
    const taken = failure;
    failure = undefined;
    return taken;
  };
  return { takeFailure, dead: death.signal };
}

function rejectedWhen(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
