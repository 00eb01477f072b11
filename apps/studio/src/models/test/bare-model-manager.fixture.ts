import type { ModelState } from "../chat-model.ts";
import { type BrowserEnvironment, createModelManager } from "../create-model-manager.ts";
import { memoryStorage } from "./memory-storage.ts";

/** A model manager in a browser without any features, except the given ones. */
export function bareModelManager(given: Partial<BrowserEnvironment> = {}) {
  let ids = 0;
  return createModelManager({
    storage: memoryStorage(),
    fetch,
    origin: undefined,
    isSecure: true,
    gpu: undefined,
    promptApi: undefined,
    loadWebLlm: () => Promise.reject(new Error("Not part of this test.")),
    hasWebLlmDownloads: async () => false,
    newId: () => String(++ids),
    onLeave: () => undefined,
    timeouts: { remote: { silenceMs: 20_000, wholeMs: 20_000 }, local: { silenceMs: 20_000, wholeMs: 20_000 } },
    ...given,
  });
}

/** The first state that meets the condition. */
export async function stateWhere(
  manager: ReturnType<typeof createModelManager>,
  isWanted: (state: ModelState) => boolean,
): Promise<ModelState> {
  const { promise, resolve } = Promise.withResolvers<ModelState>();
  const check = () => {
    if (isWanted(manager.getSnapshot())) resolve(manager.getSnapshot());
  };
  const unsubscribe = manager.subscribe(check);
  check();
  return promise.finally(unsubscribe);
}
