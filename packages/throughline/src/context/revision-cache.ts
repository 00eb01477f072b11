import { Lru } from "../internal/lru.ts";
import type { RelevantMemories } from "../memory/recall/recall-memories.ts";

interface Kept<T> {
  readonly revision: string;
  readonly value: Promise<T>;
}

/** Caches results that are valid for one revision of the data. A result that is still being computed is shared. */
export class RevisionCache<T> {
  readonly #kept: Lru<string, Kept<T>>;
  readonly #isFinal: (value: T) => boolean;

  /** @param isFinal Returns false for results that are returned to waiting callers but not cached. */
  constructor(maxEntries: number, isFinal: (value: T) => boolean = () => true) {
    this.#kept = new Lru({ maxSize: maxEntries });
    this.#isFinal = isFinal;
  }

  /** The result for this revision: cached, being computed already, or computed now. */
  get(key: string, revision: string, compute: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    return known?.revision === revision ? known.value : this.put(key, revision, compute());
  }

  /** Replaces the cached result. A result that fails is not kept. */
  put(key: string, revision: string, value: Promise<T>): Promise<T> {
    const kept = { revision, value };
    this.#kept.set(key, kept);
    const drop = () => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    };
    value.then((result) => void (this.#isFinal(result) || drop()), drop);
    return value;
  }

  clear(): void {
    this.#kept.clear();
  }
}

const MAX_SEARCHES = 200;

/**
 * Caches searches by text. A search without the embedder is not cached, because a later one may have better results.
 */
export function searchCache(): RevisionCache<RelevantMemories> {
  return new RevisionCache(MAX_SEARCHES, ({ byWordsAlone }) => !byWordsAlone);
}
