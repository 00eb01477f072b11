import type { Store } from "throughline";

/** The same store, which counts the messages that are appended. */
export function countAppends(store: Store, counter: { messages: number }): Store {
  return {
    ...store,
    messages: {
      ...store.messages,
      append: async (key, at, messages) => {
        const isDone = await store.messages.append(key, at, messages);
        if (isDone) counter.messages += messages.length;
        return isDone;
      },
    },
  };
}
