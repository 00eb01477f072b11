import { TopK } from "../memory/search/query/top-k.ts";
import { SpaceCache, type SpaceChanges, type SpaceState } from "../memory/space/space-cache.ts";
import { type Caller, isVisible } from "../memory/space/spaces.ts";
import { type Contradiction, isCurrent } from "../ports/memory.ts";
import { fileName, folderOf, isSameFile, pathEnd } from "./file-paths.ts";
import { type EntryStores, type MemoryIndexEntry, readEntriesOf, readEntry } from "./memory-index-entry.ts";
import type { Role } from "./tiers/read-roles.ts";

/** Maximum number of newest entries that are kept per role. */
const MAX_NEWEST = 60;
/** Maximum number of topics. */
const MAX_TOPICS = 300;

/** A topic with its number of memories. */
interface Topic {
  readonly name: string;
  readonly count: number;
}

/** Index of the current memories of one space by role, file, folder, word, topic and session. */
export class MemoryIndex {
  readonly #entries = new Map<string, MemoryIndexEntry>();
  readonly #byRole = this.#groupsBy(({ roles }) => roles);
  readonly #byName = this.#groupsBy(({ files }) => new Set(files.map(fileName)));
  readonly #byEnd = this.#groupsBy(({ files }) => new Set(files.map(pathEnd)));
  readonly #byFolder = this.#groupsBy(({ files }) => new Set(files.map(folderOf).filter((folder) => folder !== "")));
  readonly #byWord = this.#groupsBy(({ words }) => words);
  readonly #byTopic = this.#groupsBy(({ topic }) => (topic === "" ? [] : [topic]));
  readonly #bySession = this.#groupsBy(({ sessionId }) => (sessionId === undefined ? [] : [sessionId]));
  readonly #groups = [
    ...[this.#byRole, this.#byName, this.#byEnd, this.#byFolder, this.#byWord, this.#byTopic, this.#bySession],
  ];
  readonly #newest = new Map<Role, TopK<MemoryIndexEntry>>();
  readonly #latest = new Map<Role, TopK<MemoryIndexEntry>>();
  #topics: readonly Topic[] | undefined;
  /** Contradictions between two memories of this index. */
  contradictions: readonly Contradiction[] = [];

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): MemoryIndexEntry | undefined {
    return this.#entries.get(id);
  }

  put(entry: MemoryIndexEntry): void {
    this.remove(entry.id);
    this.#entries.set(entry.id, entry);
    for (const groups of this.#groups) groups.add(entry);
    this.#topics = undefined;
    for (const role of entry.roles) for (const tops of [this.#newest, this.#latest]) tops.get(role)?.offer(entry);
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    for (const groups of this.#groups) groups.remove(entry);
    this.#topics = undefined;
    for (const role of entry.roles) {
      for (const tops of [this.#newest, this.#latest]) if (tops.get(role)?.best.includes(entry)) tops.delete(role);
    }
  }

  ofRole(role: Role): readonly MemoryIndexEntry[] {
    return this.#byRole.get(role);
  }

  /** Newest entries of a role, pinned ones first. */
  newest(role: Role): readonly MemoryIndexEntry[] {
    return this.#top(this.#newest, role, isNewer);
  }

  /** Entries of a role that were mentioned last. */
  latest(role: Role): readonly MemoryIndexEntry[] {
    return this.#top(this.#latest, role, isLater);
  }

  /** Entries that name a file. */
  naming(path: string): readonly MemoryIndexEntry[] {
    const name = fileName(path);
    // Many files have the same name, so the folder is used to distinguish them. A name without a folder matches all.
    const groups = name === path ? [this.#byName.get(name)] : [this.#byEnd.get(pathEnd(path)), this.#byEnd.get(name)];
    const found = new Set<MemoryIndexEntry>();
    for (const entry of groups.flat()) if (entry.files.some((file) => isSameFile(file, path))) found.add(entry);
    return [...found];
  }

  /** Newest entries that name a file of a folder. */
  within(folder: string): readonly MemoryIndexEntry[] {
    return this.#byFolder.newest(folder);
  }

  /** Newest entries that were extracted from a session. */
  ofSession(sessionId: string): readonly MemoryIndexEntry[] {
    return this.#bySession.newest(sessionId);
  }

  /** Newest entries that contain a word. */
  withWord(hash: number): readonly MemoryIndexEntry[] {
    return this.#byWord.newest(hash);
  }

  hasWord(hash: number, id: string): boolean {
    return this.#entries.get(id)?.words.includes(hash) ?? false;
  }

  /** Number of memories that contain a word. */
  countOf(hash: number): number {
    return this.#byWord.get(hash).length;
  }

  /** Topics with the most memories, largest first. */
  topics(): readonly Topic[] {
    if (this.#topics !== undefined) return this.#topics;
    const top = new TopK<Topic>(MAX_TOPICS, (a, b) => a.count > b.count || (a.count === b.count && a.name < b.name));
    for (const [name, count] of this.#byTopic.sizes()) top.offer({ name, count });
    this.#topics = top.best;
    return top.best;
  }

  topic(name: string): Topic {
    return { name, count: this.#byTopic.get(name).length };
  }

  under(topic: string): readonly MemoryIndexEntry[] {
    const named = [...this.#entries.values()].filter(({ pointer }) => pointer === topic);
    return [...new Set([...named, ...this.#byTopic.get(topic)])];
  }

  #top(tops: Map<Role, TopK<MemoryIndexEntry>>, role: Role, isBefore: Before): readonly MemoryIndexEntry[] {
    const known = tops.get(role);
    if (known !== undefined) return known.best;
    const top = newestOf(this.#byRole.get(role), MAX_NEWEST, isBefore);
    tops.set(role, top);
    return top.best;
  }

  #groupsBy<K>(keysOf: (entry: MemoryIndexEntry) => Iterable<K>): EntryGroups<K> {
    return new EntryGroups(this.#entries, keysOf);
  }
}

function isLater(a: MemoryIndexEntry, b: MemoryIndexEntry): boolean {
  return a.lastSeenAt > b.lastSeenAt || (a.lastSeenAt === b.lastSeenAt && a.id > b.id);
}

/** Memory indexes of all spaces that the caller can see, at one point in time. */
interface VisibleIndexes {
  readonly memoryIndexes: readonly MemoryIndex[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
}

export class MemoryIndexes {
  readonly #stores: EntryStores;
  readonly #caller: Caller;
  readonly #cache: SpaceCache<MemoryIndex>;

  constructor(stores: EntryStores, caller: Caller) {
    this.#stores = stores;
    this.#caller = caller;
    this.#cache = new SpaceCache(stores.memoryStore, caller, {
      read: (space, state) => this.#read(space, state),
      update: (memoryIndex, changes, space) => this.#update(memoryIndex, changes, space),
    });
  }

  async open(): Promise<VisibleIndexes> {
    const { spaces, revision } = await this.#cache.open();
    return { memoryIndexes: spaces, revision };
  }

  async #read(space: string, state: SpaceState): Promise<MemoryIndex> {
    const memoryIndex = new MemoryIndex();
    for (const entry of await readEntriesOf(this.#stores, space, state)) this.#put(memoryIndex, entry);
    memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    return memoryIndex;
  }

  async #update(memoryIndex: MemoryIndex, changes: SpaceChanges, space: string): Promise<MemoryIndex> {
    for (const id of changes.ids) memoryIndex.remove(id);
    for (const memory of changes.memories)
      if (isCurrent(memory) && isVisible(memory, this.#caller)) this.#put(memoryIndex, readEntry(memory, space));
    if (changes.hasChanges) memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    return memoryIndex;
  }

  #put(memoryIndex: MemoryIndex, entry: MemoryIndexEntry): void {
    if (isVisible(entry, this.#caller)) memoryIndex.put(this.#isOfOtherWork(entry) ? { ...entry, roles: [] } : entry);
  }

  /** True for an episode of a session without a project. A project's work has to do with it only if it is asked for. */
  #isOfOtherWork({ kind, projectId, sessionId, pinned }: MemoryIndexEntry): boolean {
    const isOfSession = kind === "episode" && sessionId !== undefined && !pinned;
    return isOfSession && projectId === undefined && this.#caller.projectId !== undefined;
  }

  async #openContradictions(space: string, memoryIndex: MemoryIndex): Promise<readonly Contradiction[]> {
    const open = await this.#stores.memoryStore.list(space, "contradictions", { status: "open" });
    return open.filter(({ memoryA, memoryB }) => [memoryA, memoryB].every((id) => memoryIndex.get(id) !== undefined));
  }
}

type Before = (a: MemoryIndexEntry, b: MemoryIndexEntry) => boolean;

/** Entries that have something in common. */
interface Group {
  entries: MemoryIndexEntry[];
  /** True if some entries were removed from the index, but not yet from the group. */
  hasRemoved: boolean;
  /** The newest entries. Computed on the first request, then updated with each new entry. */
  newest: TopK<MemoryIndexEntry> | undefined;
}

/** Maximum number of newest entries that are kept per group. */
const MAX_GROUP_NEWEST = 200;

const NONE: readonly MemoryIndexEntry[] = [];

/**
 * Index entries by a property that many of them share, such as a word. Built at the first request, and then kept up to
 * date. Removed entries are dropped when their group is read next.
 */
class EntryGroups<K> {
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
    group.newest ??= newestOf(group.entries, MAX_GROUP_NEWEST, isNewer);
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

function newestOf(entries: readonly MemoryIndexEntry[], most: number, isBefore: Before): TopK<MemoryIndexEntry> {
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
