import { Top } from "../memory/recall/ask/top.ts";
import type { Contradiction } from "../ports/memory.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { fileName, folderOf, isSameFile, pathEnd } from "./file-paths.ts";
import type { Role } from "./tiers/roles/read-roles.ts";

/** How many of the newest of a role, or of what names one thing, and of the largest topics are kept at hand. */
const NEWEST = 60;
const NEWEST_OF_ONE = 200;
const LARGEST = 300;

type Entries = Map<string, CatalogueEntry>;
type Before = (a: CatalogueEntry, b: CatalogueEntry) => boolean;

/** What several memories are about. */
export interface Topic {
  readonly name: string;
  readonly count: number;
}

/** The memories of one space that hold, by what they are looked for: role, file, folder, word and topic. */
export class Catalogue {
  readonly #entries: Entries = new Map();
  readonly #byRole = new Map<Role, Entries>();
  readonly #byName = new Map<string, Entries>();
  readonly #byEnd = new Map<string, Entries>();
  readonly #byFolder = new Map<string, Entries>();
  readonly #byWord = new Map<number, Entries>();
  readonly #byTopic = new Map<string, Entries>();
  readonly #bySession = new Map<string, Entries>();
  readonly #newest = new Map<Role, Top<CatalogueEntry>>();
  readonly #latest = new Map<Role, Top<CatalogueEntry>>();
  readonly #newestOfOne = new WeakMap<object, readonly CatalogueEntry[]>();
  #topics: readonly Topic[] | undefined;
  /** Both sides of each hold, and are here. */
  contradictions: readonly Contradiction[] = [];

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): CatalogueEntry | undefined {
    return this.#entries.get(id);
  }

  put(entry: CatalogueEntry): void {
    this.remove(entry.id);
    this.#entries.set(entry.id, entry);
    this.#eachPlace(entry, (index, key) => {
      const entries = index.get(key);
      if (entries === undefined) index.set(key, new Map([[entry.id, entry]]));
      else this.#newestOfOne.delete(entries.set(entry.id, entry));
    });
    this.#topics = undefined;
    for (const role of entry.roles) for (const tops of [this.#newest, this.#latest]) tops.get(role)?.show(entry);
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#eachPlace(entry, (index, key) => {
      const entries = index.get(key);
      if (entries === undefined) return;
      entries.delete(id);
      this.#newestOfOne.delete(entries);
      if (entries.size === 0) index.delete(key);
    });
    this.#topics = undefined;
    for (const role of entry.roles) {
      for (const tops of [this.#newest, this.#latest]) if (tops.get(role)?.best.includes(entry)) tops.delete(role);
    }
  }

  ofRole(role: Role): Iterable<CatalogueEntry> {
    return this.#byRole.get(role)?.values() ?? [];
  }

  /** The newest of a role; pinned ones count as newer than all others. */
  newest(role: Role): readonly CatalogueEntry[] {
    return this.#top(this.#newest, role, isNewer);
  }

  /** Those of a role that were said or confirmed last. */
  latest(role: Role): readonly CatalogueEntry[] {
    return this.#top(this.#latest, role, isLater);
  }

  /** Those that name a file. */
  naming(path: string): readonly CatalogueEntry[] {
    const name = fileName(path);
    // Many files are called alike: with their folders, they are told apart. Who has no folder may mean any of them.
    const indexes = name === path ? [this.#byName.get(name)] : [this.#byEnd.get(pathEnd(path)), this.#byEnd.get(name)];
    const found = new Set(indexes.flatMap((entries) => [...(entries?.values() ?? [])]));
    return [...found].filter(({ files }) => files.some((file) => isSameFile(file, path)));
  }

  /** Those that name a file of a folder; of too many the newest. */
  within(folder: string): readonly CatalogueEntry[] {
    return this.#newestIn(this.#byFolder.get(folder));
  }

  /** Those that came of a session; of too many the newest. */
  ofSession(sessionId: string): readonly CatalogueEntry[] {
    return this.#newestIn(this.#bySession.get(sessionId));
  }

  /** Those that have a word; of too many the newest. */
  withWord(hash: number): readonly CatalogueEntry[] {
    return this.#newestIn(this.#byWord.get(hash));
  }

  hasWord(hash: number, id: string): boolean {
    return this.#byWord.get(hash)?.has(id) ?? false;
  }

  /** How many memories have a word. */
  countOf(hash: number): number {
    return this.#byWord.get(hash)?.size ?? 0;
  }

  /** What most memories are about. */
  topics(): readonly Topic[] {
    if (this.#topics !== undefined) return this.#topics;
    const top = new Top<Topic>(LARGEST, (a, b) => a.count > b.count || (a.count === b.count && a.name < b.name));
    for (const [name, { size }] of this.#byTopic) top.show({ name, count: size });
    this.#topics = top.best;
    return top.best;
  }

  topic(name: string): Topic {
    return { name, count: this.#byTopic.get(name)?.size ?? 0 };
  }

  /** Those of a topic, or that stand in the index under that very word. */
  under(topic: string): readonly CatalogueEntry[] {
    const named = [...this.#entries.values()].filter(({ pointer }) => pointer === topic);
    return [...new Set([...named, ...(this.#byTopic.get(topic)?.values() ?? [])])];
  }

  #top(tops: Map<Role, Top<CatalogueEntry>>, role: Role, isBefore: Before): readonly CatalogueEntry[] {
    const known = tops.get(role);
    if (known !== undefined) return known.best;
    const top = newestOf(this.#byRole.get(role) ?? new Map(), NEWEST, isBefore);
    tops.set(role, top);
    return top.best;
  }

  #newestIn(entries: Entries | undefined): readonly CatalogueEntry[] {
    if (entries === undefined) return [];
    const known = this.#newestOfOne.get(entries);
    if (known !== undefined) return known;
    const newest = newestOf(entries, NEWEST_OF_ONE, isNewer).best;
    this.#newestOfOne.set(entries, newest);
    return newest;
  }

  #eachPlace(entry: CatalogueEntry, visit: <K>(index: Map<K, Entries>, key: K) => void): void {
    for (const role of entry.roles) visit(this.#byRole, role);
    for (const name of new Set(entry.files.map(fileName))) visit(this.#byName, name);
    for (const end of new Set(entry.files.map(pathEnd))) visit(this.#byEnd, end);
    for (const folder of new Set(entry.files.map(folderOf))) if (folder !== "") visit(this.#byFolder, folder);
    for (const word of entry.words) visit(this.#byWord, word);
    if (entry.sessionId !== undefined) visit(this.#bySession, entry.sessionId);
    if (entry.topic !== "") visit(this.#byTopic, entry.topic);
  }
}

function newestOf(entries: Entries, most: number, isBefore: Before): Top<CatalogueEntry> {
  const top = new Top<CatalogueEntry>(most, isBefore);
  // What came in last is mostly the newest: shown first, it leaves little to do for the rest.
  for (const entry of [...entries.values()].reverse()) top.show(entry);
  return top;
}

/** Newer first, pinned ones before all others. No clock has a say in it. */
export function isNewer(a: CatalogueEntry, b: CatalogueEntry): boolean {
  if (a.pinned !== b.pinned) return a.pinned;
  return a.validFrom > b.validFrom || (a.validFrom === b.validFrom && a.id > b.id);
}

function isLater(a: CatalogueEntry, b: CatalogueEntry): boolean {
  return a.lastSeenAt > b.lastSeenAt || (a.lastSeenAt === b.lastSeenAt && a.id > b.id);
}
