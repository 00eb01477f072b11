import { TopK } from "../memory/recall/query/top-k.ts";
import type { MemoryIndexEntry } from "./memory-index-entry.ts";

export type Before = (a: MemoryIndexEntry, b: MemoryIndexEntry) => boolean;

/** Entries that have something in common. */
interface Group {
  entries: MemoryIndexEntry[];
  /** Some of them are to be taken out. */
  hasRemoved: boolean;
  /** The newest of them, once they were asked for; from then on it is shown those that come. */
  newest: TopK<MemoryIndexEntry> | undefined;
}

/** How many of the newest of a group are kept at hand. */
const NEWEST_OF_ONE = 200;

const NONE: readonly MemoryIndexEntry[] = [];

/**
 * Entries by something that many of them have, such as a word. What is removed is taken out when its group is next looked
 * at: all of it at once.
 */
export class EntryGroups<K> {
  readonly #groups = new Map<K, Group>();
  readonly #isThere: (entry: MemoryIndexEntry) => boolean;

  /** `isThere`: whether an entry that was added was not removed since. */
  constructor(isThere: (entry: MemoryIndexEntry) => boolean) {
    this.#isThere = isThere;
  }

  add(key: K, entry: MemoryIndexEntry): void {
    const group = this.#groups.get(key);
    if (group === undefined) {
      this.#groups.set(key, { entries: [entry], hasRemoved: false, newest: undefined });
      return;
    }
    group.entries.push(entry);
    group.newest?.offer(entry);
  }

  remove(key: K): void {
    const group = this.#groups.get(key);
    if (group !== undefined) group.hasRemoved = true;
  }

  /** In the order in which they came. */
  get(key: K): readonly MemoryIndexEntry[] {
    return this.#read(key)?.entries ?? NONE;
  }

  /** All of a group, the newest first; of too many the newest. */
  newest(key: K): readonly MemoryIndexEntry[] {
    const group = this.#read(key);
    if (group === undefined) return NONE;
    group.newest ??= newestOf(group.entries, NEWEST_OF_ONE, isNewer);
    return group.newest.best;
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
    group.newest = undefined;
    if (group.entries.length > 0) return group;
    this.#groups.delete(key);
    return undefined;
  }
}

export function newestOf(entries: readonly MemoryIndexEntry[], most: number, isBefore: Before): TopK<MemoryIndexEntry> {
  const top = new TopK<MemoryIndexEntry>(most, isBefore);
  // What came in last is mostly the newest: shown first, it leaves little to do for the rest.
  for (let at = entries.length - 1; at >= 0; at -= 1) top.offer(entries[at] as MemoryIndexEntry);
  return top;
}

/** Newer first, pinned ones before all others. No clock has a say in it. */
export function isNewer(a: MemoryIndexEntry, b: MemoryIndexEntry): boolean {
  if (a.pinned !== b.pinned) return a.pinned;
  return a.validFrom > b.validFrom || (a.validFrom === b.validFrom && a.id > b.id);
}
