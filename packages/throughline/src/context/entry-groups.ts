import type { CatalogueEntry } from "./catalogue-entry.ts";

/** Entries that have something in common, and what was made of them. */
interface Group {
  entries: CatalogueEntry[];
  /** Some of them are to be taken out. */
  hasRemoved: boolean;
  /** The best of them, once they were asked for. */
  best: readonly CatalogueEntry[] | undefined;
}

const NONE: readonly CatalogueEntry[] = [];

/**
 * Entries by something that many of them have, such as a word. What is removed is taken out when its group is next looked
 * at: all of it at once.
 */
export class EntryGroups<K> {
  readonly #groups = new Map<K, Group>();
  readonly #isThere: (entry: CatalogueEntry) => boolean;

  /** `isThere`: whether an entry that was added was not removed since. */
  constructor(isThere: (entry: CatalogueEntry) => boolean) {
    this.#isThere = isThere;
  }

  add(key: K, entry: CatalogueEntry): void {
    const group = this.#groups.get(key);
    if (group === undefined) {
      this.#groups.set(key, { entries: [entry], hasRemoved: false, best: undefined });
      return;
    }
    group.entries.push(entry);
    group.best = undefined;
  }

  remove(key: K): void {
    const group = this.#groups.get(key);
    if (group !== undefined) group.hasRemoved = true;
  }

  /** In the order in which they came. */
  get(key: K): readonly CatalogueEntry[] {
    return this.#read(key)?.entries ?? NONE;
  }

  /** The best of a group, found once as long as nothing changes in it. */
  best(key: K, find: (entries: readonly CatalogueEntry[]) => readonly CatalogueEntry[]): readonly CatalogueEntry[] {
    const group = this.#read(key);
    if (group === undefined) return NONE;
    group.best ??= find(group.entries);
    return group.best;
  }

  *sizes(): Iterable<readonly [key: K, size: number]> {
    for (const key of [...this.#groups.keys()]) {
      const size = this.#read(key)?.entries.length ?? 0;
      if (size > 0) yield [key, size];
    }
  }

  #read(key: K): Group | undefined {
    const group = this.#groups.get(key);
    if (group === undefined || !group.hasRemoved) return group;
    // One that was removed and then added again stands in it twice.
    group.entries = [...new Set(group.entries.filter(this.#isThere))];
    group.hasRemoved = false;
    group.best = undefined;
    if (group.entries.length > 0) return group;
    this.#groups.delete(key);
    return undefined;
  }
}
