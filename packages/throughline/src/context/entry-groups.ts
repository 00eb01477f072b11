import { TopK } from "../memory/search/query/top-k.ts";
import type { MemoryIndexEntry } from "./memory-index-entry.ts";

export type Before = (a: MemoryIndexEntry, b: MemoryIndexEntry) => boolean;

/** Entries that have something in common. */
interface Group {
  entries: MemoryIndexEntry[];
  /** True if some entries were removed from the index, but not yet from the group. */
  hasRemoved: boolean;
  /** The newest entries. Computed on the first request, then updated with each new entry. */
  newest: TopK<MemoryIndexEntry> | undefined;
}

/** Maximum number of newest entries that are kept per group. */
const MAX_NEWEST = 200;

const NONE: readonly MemoryIndexEntry[] = [];

/**
 * Index entries by a property that many of them share, such as a word. Removed entries are dropped lazily, when their
 * group is read next.
 */
export class EntryGroups<K> {
  readonly #groups = new Map<K, Group>();
  readonly #isThere: (entry: MemoryIndexEntry) => boolean;

  /** @param isThere Returns true if an added entry was not removed since. */
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

  /** Entries of a group in the order of insertion. */
  get(key: K): readonly MemoryIndexEntry[] {
    return this.#read(key)?.entries ?? NONE;
  }

  /** The newest entries of a group, newest first. */
  newest(key: K): readonly MemoryIndexEntry[] {
    const group = this.#read(key);
    if (group === undefined) return NONE;
    group.newest ??= newestOf(group.entries, MAX_NEWEST, isNewer);
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
    // An entry that was removed and added again is in the group twice.
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
  // The last entries are mostly the newest. Offered first, they make the other offers cheap.
  for (let at = entries.length - 1; at >= 0; at -= 1) top.offer(entries[at] as MemoryIndexEntry);
  return top;
}

/** True if `a` comes before `b`: pinned entries first, then newer ones. Independent of the current time. */
export function isNewer(a: MemoryIndexEntry, b: MemoryIndexEntry): boolean {
  if (a.pinned !== b.pinned) return a.pinned;
  return a.validFrom > b.validFrom || (a.validFrom === b.validFrom && a.id > b.id);
}
