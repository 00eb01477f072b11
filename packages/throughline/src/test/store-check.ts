import type { DocumentStore } from "../ports/document-store.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { SessionKey, Store } from "../ports/store.ts";

/** One fact that holds for every store. `run` rejects where it does not. */
export interface StoreCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A fact, tried on a session that nobody has used before. */
export type StoreFact = readonly [name: string, prove: (store: Store, key: SessionKey) => Promise<void>];

/** A fact of memories, tried on a space that nobody has used before. */
export type MemoryFact = readonly [name: string, prove: (store: MemoryStore, space: string) => Promise<void>];

export function toStoreFact([name, prove]: MemoryFact): StoreFact {
  return [name, (store, { owner }) => prove(store.memories, `user:${owner}`)];
}

/** A fact of documents, tried on a space that nobody has used before. */
export type DocumentFact = readonly [name: string, prove: (store: DocumentStore, space: string) => Promise<void>];

export function documentFactOfStore([name, prove]: DocumentFact): StoreFact {
  return [name, (store, { owner }) => prove(store.documents, `user:${owner}`)];
}

/** A session of an owner that nobody has used before: databases may be shared by many runs. */
export function freshKey(): SessionKey {
  const chance = () => Math.random().toString(36).slice(2);
  return { owner: `owner-${chance()}${chance()}`, sessionId: `session-${chance()}` };
}
