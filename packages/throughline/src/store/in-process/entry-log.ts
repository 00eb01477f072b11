import type { SearchEntry, StoredSearchEntry } from "../../ports/memory-store.ts";
import { firstIndex } from "./first-index.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { OrderedMap } from "./ordered-map.ts";

/** Search data by id, in write order. */
export class EntryLog {
  readonly #current = new OrderedMap<StoredSearchEntry>();
  /** In write order, including entries that were overwritten or erased since. */
  #written: StoredSearchEntry[] = [];

  put(revision: number, entries: readonly SearchEntry[]): void {
    const last = new Map(entries.map((entry) => [entry.id, entry]));
    for (const id of [...last.keys()].sort()) {
      const stored = frozenCopy({ ...last.get(id), revision } as StoredSearchEntry);
      this.#current.set(id, stored);
      this.#written.push(stored);
    }
    if (this.#written.length > 2 * this.#current.size + 100) this.#dropOutdated();
  }

  erase(ids: readonly string[]): void {
    for (const id of ids) this.#current.delete(id);
    this.#dropOutdated();
  }

  after(revision: number, id: string | undefined, limit: number): StoredSearchEntry[] {
    const isBehind = (one: StoredSearchEntry) =>
      one.revision > revision || (one.revision === revision && id !== undefined && one.id > id);
    const found: StoredSearchEntry[] = [];
    for (let i = firstIndex(this.#written, isBehind); i < this.#written.length && found.length < limit; i += 1) {
      const entry = this.#written[i];
      if (entry !== undefined && this.#isCurrent(entry)) found.push(frozenCopy(entry));
    }
    return found;
  }

  byId(ids: readonly string[]): StoredSearchEntry[] {
    return ids.flatMap((id) => frozenCopy(this.#current.get(id)) ?? []);
  }

  without(embedder: string, after: string | undefined, limit: number): StoredSearchEntry[] {
    const found: StoredSearchEntry[] = [];
    for (const stored of this.#current.behind(after)) {
      if (found.length >= limit) break;
      if (stored.embedder !== embedder) found.push(frozenCopy(stored));
    }
    return found;
  }

  #isCurrent(entry: StoredSearchEntry): boolean {
    return this.#current.get(entry.id) === entry;
  }

  #dropOutdated(): void {
    this.#written = this.#written.filter((entry) => this.#isCurrent(entry));
  }
}
