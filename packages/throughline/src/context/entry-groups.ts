import { TopK } from "../memory/search/query/select-candidates.ts";
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
 * Index entries by a property that many of them share, such as a word. Built at the first request, and then kept up to
 * date. Removed entries are dropped when their group is read next.
 */
export class EntryGroups<K> {
  readonly #entries: ReadonlyMap<string, MemoryIndexEntry>;
  readonly #keysOf: (entry: MemoryIndexEntry) => Iterable<K>;
  #built: Map<K, Group> | undefined;

  /**
   * @param entries The entries of the index, by id.
   * @param keysOf Returns the groups of an entry, each once.
   */
  constructor(entries: ReadonlyMap<string, MemoryIndexEntry>, keysOf: (entry: MemoryIndexEntry) => Iterable<K>) {
    this.#entries = entries;
    this.#keysOf = keysOf;
  }

  /** Adds an entry that the index has now. */
  add(entry: MemoryIndexEntry): void {
    if (this.#built !== undefined) this.#place(this.#built, entry);
  }

  /** Notes that the index does not have an entry any more. */
  remove(entry: MemoryIndexEntry): void {
    if (this.#built === undefined) return;
    for (const key of this.#keysOf(entry)) {
      const group = this.#built.get(key);
      if (group !== undefined) group.hasRemoved = true;
    }
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

  get #groups(): Map<K, Group> {
    if (this.#built === undefined) {
      this.#built = new Map();
      for (const entry of this.#entries.values()) this.#place(this.#built, entry);
    }
    return this.#built;
  }

  #place(groups: Map<K, Group>, entry: MemoryIndexEntry): void {
    for (const key of this.#keysOf(entry)) {
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, { entries: [entry], hasRemoved: false, newest: undefined });
      } else {
        group.entries.push(entry);
        group.newest?.offer(entry);
      }
    }
  }

  #read(key: K): Group | undefined {
    const groups = this.#groups;
    const group = groups.get(key);
    if (group === undefined || !group.hasRemoved) return group;
    // An entry that was removed and added again is in the group twice.
    group.entries = [...new Set(group.entries.filter((entry) => this.#entries.get(entry.id) === entry))];
    group.hasRemoved = false;
    group.newest = undefined;
    if (group.entries.length > 0) return group;
    groups.delete(key);
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
