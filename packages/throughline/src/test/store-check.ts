import type { MemoryStore } from "../ports/memory-store.ts";
import type { DocumentStore, SessionKey, Store } from "../ports/store.ts";

/** A check that every store has to pass. `run` rejects if the store fails it. */
export interface StoreCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A named check of a store. It gets a new, unused session. */
export type StoreFact = readonly [name: string, prove: (store: Store, key: SessionKey) => Promise<void>];

/** A named check of a memory store. It gets a new, unused space. */
export type MemoryFact = readonly [name: string, prove: (store: MemoryStore, space: string) => Promise<void>];

export function memoryToStoreFact([name, prove]: MemoryFact): StoreFact {
  return [name, (store, { userId }) => prove(store.memories, `user:${userId}`)];
}

/** A named check of a document store. It gets a new, unused space. */
export type DocumentFact = readonly [name: string, prove: (store: DocumentStore, space: string) => Promise<void>];

export function documentToStoreFact([name, prove]: DocumentFact): StoreFact {
  return [name, (store, { userId }) => prove(store.documents, `user:${userId}`)];
}

/** A random session of a random owner, because several runs may share a database. */
export function freshKey(): SessionKey {
  const random = () => Math.random().toString(36).slice(2);
  return { userId: `owner-${random()}${random()}`, sessionId: `session-${random()}` };
}
