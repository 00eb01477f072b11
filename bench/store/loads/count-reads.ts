import type { Store } from "throughline";

export interface CountedStore {
  readonly store: Store;
  readonly reads: { messages: number; bytes: number };
}

/** The same store, which notes how much is read of messages, states and compactions. */
export function countReads(store: Store): CountedStore {
  const reads = { messages: 0, bytes: 0 };
  const noting =
    <Args extends unknown[], Value>(read: (...args: Args) => Promise<Value>) =>
    async (...args: Args) => {
      const value = await read(...args);
      reads.bytes += Buffer.byteLength(JSON.stringify(value) ?? "");
      return value;
    };
  const notingMessages = <Args extends unknown[], Value extends readonly unknown[]>(
    read: (...args: Args) => Promise<Value>,
  ) =>
    noting(async (...args: Args) => {
      const value = await read(...args);
      reads.messages += value.length;
      return value;
    });
  const { messages, sessions } = store;
  return {
    reads,
    store: {
      ...store,
      messages: { ...messages, get: notingMessages(messages.get), list: notingMessages(messages.list) },
      sessions: { ...sessions, state: noting(sessions.state), compactions: noting(sessions.compactions) },
    },
  };
}
