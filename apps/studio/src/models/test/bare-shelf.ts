import type { ModelState } from "../chat-model.ts";
import { createModelShelf } from "../create-model-shelf.ts";
import type { Surroundings } from "../surroundings.ts";
import { memoryStorage } from "./memory-storage.ts";

/** A shelf in a browser that can do nothing, but for what is given. */
export function bareShelf(given: Partial<Surroundings> = {}) {
  let ids = 0;
  return createModelShelf({
    storage: memoryStorage(),
    fetch,
    origin: undefined,
    isSecure: true,
    gpu: undefined,
    promptApi: undefined,
    loadWebLlm: () => Promise.reject(new Error("Nobody should load it.")),
    hasWebLlmDownloads: async () => false,
    newId: () => String(++ids),
    patience: { remote: { silenceMs: 20_000, wholeMs: 20_000 }, local: { silenceMs: 20_000, wholeMs: 20_000 } },
    ...given,
  });
}

/** The first state that is as wanted. */
export async function stateWhere(
  shelf: ReturnType<typeof createModelShelf>,
  isWanted: (state: ModelState) => boolean,
): Promise<ModelState> {
  const { promise, resolve } = Promise.withResolvers<ModelState>();
  const check = () => {
    if (isWanted(shelf.getSnapshot())) resolve(shelf.getSnapshot());
  };
  const unsubscribe = shelf.subscribe(check);
  check();
  return promise.finally(unsubscribe);
}
