import { sameJson } from "../../internal/json.ts";
import { type Contradiction, isCurrent, type Memory, type Utterance } from "../../ports/memory.ts";
import type {
  ContradictionFilter,
  MemoryCollections,
  MemoryFilter,
  MemoryStore,
  StoredMemory,
} from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { type Question, searchIndexes } from "../search/search.ts";
import { packEntry, type Searchable } from "../search/search-entry.ts";
import { SearchIndex } from "../search/search-index.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { type ReadTurn, searchableMemory, searchableTurn, writeMarks } from "./index-memory.ts";

/** The dependencies of a plan. Its reads see the changes that were staged before it. */
export interface PlanContext extends Omit<MemoryContext, "memoryStore"> {
  readonly memoryStore: StagedSpace;
}

export interface StagedMemory {
  readonly indexed: StoredMemory;
  /** The stored version; `undefined` if the memory is new. */
  readonly stored: Memory | undefined;
}

export interface StagedTurn extends ReadTurn {
  /** The stored version; `undefined` if the turn is new. */
  readonly stored: Utterance | undefined;
}

/** Changes to stage. `before` contains the versions that they replace, staged or stored. */
export interface StagedChanges {
  readonly memories: readonly StoredMemory[];
  readonly newTurns: readonly ReadTurn[];
  readonly markedTurns: readonly Utterance[];
  readonly contradictions: readonly Contradiction[];
  readonly before: { readonly memories: readonly Memory[]; readonly turns: readonly Utterance[] };
}

/** The collections that changes can be staged in. */
type Staged = Pick<MemoryCollections, "memories" | "turns" | "contradictions">;

/** The filters that plans use. */
type PlanFilter = Pick<MemoryFilter, "current" | "categorized" | "matchAny">;

const CURRENT_CHAT_FACTS = "chat facts";

/**
 * One space with changes that are not written yet. Reads return the staged version of a memory, turn or contradiction,
 * and the stored one if it has not changed. So changes can be planned one after the other and written in one commit.
 */
export class StagedSpace {
  readonly #memoryStore: MemoryStore;
  readonly #space: string;
  readonly #memories = new Map<string, StagedMemory>();
  readonly #turns = new Map<string, StagedTurn>();
  readonly #contradictions = new Map<string, Contradiction>();
  /** Ids of memories by slot, by fingerprint, and of current ones with a category, by any of their staged versions. */
  readonly #lookups = new Lookups();
  /**
   * Staged versions that are not in `#lookups` yet. They are added on demand, because the last change of a draft is
   * never looked up.
   */
  #unlisted: StoredMemory[] = [];
  /** Ids of staged contradictions by memory. */
  readonly #disputes = new Lookups();
  /** Stored memories by filter: every fact of a batch reads the same lists. */
  readonly #lists = new Map<string, Promise<readonly Memory[]>>();
  readonly #index = new StagedIndex();
  #storedIndex: SearchIndex | undefined;

  constructor(memoryStore: MemoryStore, space: string) {
    this.#memoryStore = memoryStore;
    this.#space = space;
  }

  /** All staged changes. */
  get changes(): {
    readonly memories: readonly StagedMemory[];
    readonly turns: readonly StagedTurn[];
    readonly contradictions: readonly Contradiction[];
  } {
    return {
      memories: [...this.#memories.values()],
      turns: [...this.#turns.values()],
      contradictions: [...this.#contradictions.values()],
    };
  }

  /** Items by id, in the order of `ids`. Unknown ids are skipped. */
  get<C extends keyof Staged>(collection: C, ids: readonly string[]): Promise<readonly Staged[C][]> {
    const staged = (id: string) => this.#staged(collection, id);
    return readThrough(ids, staged, (missing) => this.#memoryStore.get(this.#space, collection, missing));
  }

  /** Memories that a filter selects, in the order of their ids, or contradictions. */
  list(collection: "memories", filter: PlanFilter): Promise<readonly Memory[]>;
  list(collection: "contradictions", filter: ContradictionFilter): Promise<readonly Contradiction[]>;
  list(
    collection: "memories" | "contradictions",
    filter: PlanFilter & ContradictionFilter,
  ): Promise<readonly (Memory | Contradiction)[]> {
    return collection === "memories" ? this.#listMemories(filter) : this.#listContradictions(filter);
  }

  async #listMemories(filter: PlanFilter): Promise<readonly Memory[]> {
    const key = JSON.stringify(filter);
    const stored = this.#lists.get(key) ?? this.#memoryStore.list(this.#space, "memories", filter);
    this.#lists.set(key, stored);
    // The next call reads again.
    stored.catch(() => this.#lists.delete(key));
    const { slots = [], fingerprints = [] } = filter.matchAny ?? {};
    const names =
      filter.matchAny === undefined
        ? [CURRENT_CHAT_FACTS]
        : [...slots.map(slotName), ...fingerprints.map(fingerprintName)];
    const found = this.#withStaged(await stored, names);
    return filter.current === true ? found.filter(isCurrent) : found;
  }

  async #listContradictions(filter: ContradictionFilter): Promise<readonly Contradiction[]> {
    const { status, of } = filter;
    const stored = await this.#memoryStore.list(this.#space, "contradictions", filter);
    const candidates = of === undefined ? [...this.#contradictions.keys()] : this.#disputes.find(of);
    const staged = candidates.flatMap((id) => this.#contradictions.get(id) ?? []);
    return [
      ...stored.filter(({ id }) => !this.#contradictions.has(id)),
      ...staged.filter((one) => status === undefined || one.status === status),
    ];
  }

  #staged<C extends keyof Staged>(collection: C, id: string): Staged[C] | undefined {
    const staged: { readonly [K in keyof Staged]: () => Staged[K] | undefined } = {
      memories: () => this.#memories.get(id)?.indexed.memory,
      turns: () => this.#turns.get(id)?.turn,
      contradictions: () => this.#contradictions.get(id),
    };
    return staged[collection]();
  }

  /** Ids of the documents that match a question best, the best first. */
  async similar(search: SearchSpaces, question: Question, limit: number): Promise<readonly string[]> {
    await this.#index.refresh(this.#memoryStore, this.#space);
    this.#storedIndex ??= await search.open(this.#space);
    return this.#index.find(this.#storedIndex, question, limit);
  }

  stage({ memories, newTurns, markedTurns, contradictions, before }: StagedChanges): void {
    const memoryBefore = new Map(before.memories.map((memory) => [memory.id, memory]));
    const turnBefore = new Map(before.turns.map((turn) => [turn.id, turn]));
    for (const indexed of memories) this.#stageMemory(indexed, memoryBefore.get(indexed.memory.id));
    for (const read of newTurns) this.#stageTurn({ ...read, stored: undefined });
    for (const turn of markedTurns) {
      const { facts, stored } = this.#turns.get(turn.id) ?? { facts: [], stored: turnBefore.get(turn.id) };
      this.#stageTurn({ turn, facts, stored });
    }
    for (const contradiction of contradictions) {
      const { id, memoryA, memoryB } = contradiction;
      this.#contradictions.set(id, contradiction);
      this.#disputes.add(id, [memoryA, memoryB]);
    }
  }

  #stageMemory(indexed: StoredMemory, before: Memory | undefined): void {
    const { id } = indexed.memory;
    const known = this.#memories.get(id);
    const stored = known === undefined ? before : known.stored;
    this.#memories.set(id, { indexed, stored });
    this.#unlisted.push(indexed);
    this.#index.noteMemory(indexed.memory, stored);
  }

  #stageTurn(staged: StagedTurn): void {
    this.#turns.set(staged.turn.id, staged);
    this.#index.noteTurn(staged);
  }

  /** Stored memories, with staged ones of these lookup names in place of those that changed. */
  #withStaged(stored: readonly Memory[], names: readonly string[]): readonly Memory[] {
    if (this.#memories.size === 0) return stored;
    for (const indexed of this.#unlisted) this.#lookups.add(indexed.memory.id, lookupNames(indexed));
    this.#unlisted = [];
    const staged = this.#lookups.find(names).flatMap((id) => {
      const indexed = this.#memories.get(id)?.indexed;
      return indexed !== undefined && lookupNames(indexed).some((name) => names.includes(name)) ? [indexed.memory] : [];
    });
    const unchanged = stored.filter(({ id }) => !this.#memories.has(id));
    return [...unchanged, ...staged].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** Search entries of staged memories and turns. They are made only if a plan searches. */
class StagedIndex {
  readonly #index = new SearchIndex();
  /** Staged since the last search. */
  readonly #memories = new Map<string, { readonly memory: Memory; readonly stored: Memory | undefined }>();
  readonly #newTurns = new Map<string, ReadTurn>();
  readonly #markedTurns = new Map<string, Utterance>();
  /** Stored documents whose entry in the stored index is out of date. */
  readonly #replaced = new Set<string>();

  noteMemory(memory: Memory, stored: Memory | undefined): void {
    this.#memories.set(memory.id, { memory, stored });
  }

  noteTurn({ turn, facts, stored }: StagedTurn): void {
    if (stored === undefined) this.#newTurns.set(turn.id, { turn, facts });
    else {
      this.#markedTurns.set(turn.id, turn);
      this.#replaced.add(turn.id);
    }
  }

  /** Adds the entries of items staged since the last search. */
  async refresh(memoryStore: MemoryStore, space: string): Promise<void> {
    const searchables = [
      ...[...this.#memories.values()].flatMap((noted) => this.#changed(noted)),
      ...[...this.#newTurns.values()].map(searchableTurn),
    ];
    const marked = await writeMarks({ memoryStore }, space, [...this.#markedTurns.values()]);
    for (const one of searchables) this.#index.put({ id: one.id, entry: packEntry(one) }, "");
    for (const { id, entry } of marked) this.#index.put({ id, entry }, "");
    for (const noted of [this.#memories, this.#newTurns, this.#markedTurns]) noted.clear();
  }

  /** The memory for search, unless its entry is up to date. */
  #changed({ memory, stored }: { readonly memory: Memory; readonly stored: Memory | undefined }): Searchable[] {
    const searchable = searchableMemory(memory);
    if (stored === undefined) return [searchable];
    if (!this.#replaced.has(memory.id) && sameJson(searchableMemory(stored), searchable)) return [];
    this.#replaced.add(memory.id);
    return [searchable];
  }

  find(stored: SearchIndex, question: Question, limit: number): readonly string[] {
    const indexes = this.#index.size === 0 ? [stored] : [stored, this.#index];
    const { candidates } = searchIndexes(indexes, question, limit + this.#replaced.size);
    const current = candidates.filter(({ index, id }) => index === 1 || !this.#replaced.has(id));
    return current.slice(0, limit).map(({ id }) => id);
  }
}

/** Sets of ids by name. */
class Lookups {
  readonly #ids = new Map<string, Set<string>>();

  add(id: string, names: readonly string[]): void {
    for (const name of names) this.#ids.set(name, (this.#ids.get(name) ?? new Set()).add(id));
  }

  /** Each id once. */
  find(names: readonly string[]): readonly string[] {
    return [...new Set(names.flatMap((name) => [...(this.#ids.get(name) ?? [])]))];
  }
}

function lookupNames({ memory, slot, fingerprint }: StoredMemory): readonly string[] {
  const names = [fingerprintName(fingerprint)];
  if (slot !== undefined) names.push(slotName(slot));
  if (memory.category !== undefined && isCurrent(memory)) names.push(CURRENT_CHAT_FACTS);
  return names;
}

function slotName(slot: string): string {
  return `slot ${slot}`;
}

function fingerprintName(fingerprint: string): string {
  return `fingerprint ${fingerprint}`;
}

/** Items in the order of `ids`: the staged ones, and the others read from the store. */
async function readThrough<T extends { readonly id: string }>(
  ids: readonly string[],
  staged: (id: string) => T | undefined,
  read: (missing: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const missing = ids.filter((id) => staged(id) === undefined);
  const stored = missing.length === 0 ? [] : await read(missing);
  if (missing.length === ids.length) return stored;
  const storedById = new Map(stored.map((item) => [item.id, item]));
  return ids.flatMap((id) => staged(id) ?? storedById.get(id) ?? []);
}
