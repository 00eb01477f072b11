import { StoreError } from "../errors/store-errors.ts";
import { type Contradiction, isCurrent, type Memory, type Utterance } from "../ports/memory.ts";
import type {
  JournalEntry,
  MemoryCommit,
  MemoryFilter,
  MemoryRecord,
  NewJudgement,
  SearchEntry,
  StoredMemory,
  StoredSearchEntry,
} from "../ports/memory-store.ts";
import type { StoredBlob } from "../ports/store.ts";
import { frozenCopy } from "./frozen-copy.ts";

/** One space. Its values are immutable and only replaced, so values that were read do not change. */
export class MemorySpace {
  readonly name: string;
  revision = 0;
  epoch = 0;
  readonly memories = new OrderedMap<StoredMemory>();
  readonly turns = new OrderedMap<Utterance>();
  readonly entries = new EntryLog();
  readonly contradictions = new Map<string, Contradiction>();
  /** The oldest first. */
  readonly journal = new Map<string, JournalEntry>();
  readonly judgements = new Map<string, NewJudgement>();
  readonly blobs = new Map<string, Uint8Array>();
  readonly leases = new Map<string, { readonly holder: string; readonly until: number }>();
  /** Ids of memories by lookup key. */
  readonly #lookups = new Map<string, Set<string>>();
  /** Ids of turns by session. */
  readonly #turnsOf = new Map<string, Set<string>>();

  constructor(name: string) {
    this.name = name;
  }

  /** @throws StoreError `duplicate-id` if a journal entry with this id exists; then nothing is written. */
  write(commit: MemoryCommit): void {
    const { memories = [], turns = [], entries = [], contradictions = [], journal = [], blobs = [] } = commit;
    this.refuseTaken(journal);
    this.revision += 1;
    const last = new Map(memories.map((stored) => [stored.memory.id, stored]));
    for (const stored of last.values()) this.put(frozenCopy(this.#withCounts(stored)));
    for (const turn of turns) this.#putTurn(frozenCopy(turn));
    this.entries.put(this.revision, entries);
    for (const contradiction of contradictions) this.contradictions.set(contradiction.id, frozenCopy(contradiction));
    for (const entry of journal) this.journal.set(entry.id, frozenCopy(entry));
    this.putBlobs(blobs);
  }

  putBlobs(blobs: readonly StoredBlob[]): void {
    for (const { name, bytes } of blobs) this.blobs.set(name, new Uint8Array(bytes));
  }

  put(stored: StoredMemory): void {
    const { id } = stored.memory;
    this.#forgetLookups(id);
    this.memories.set(id, stored);
    for (const name of lookupsOf(stored)) this.#lookups.set(name, (this.#lookups.get(name) ?? new Set()).add(id));
  }

  removeMemory(id: string): boolean {
    this.#forgetLookups(id);
    return this.memories.delete(id);
  }

  removeTurn(id: string): boolean {
    const known = this.turns.get(id);
    if (known !== undefined) remove(this.#turnsOf, known.sessionId, id);
    return this.turns.delete(id);
  }

  /** Sorted by id. All memories that the filter selects, and others that do not match its other conditions. */
  *candidates(filter: MemoryFilter): Generator<Memory> {
    const names = lookupsFor(filter);
    if (names === undefined) for (const { memory } of this.memories.behind(filter.after)) yield memory;
    else yield* this.#lookUp(names);
  }

  byId(ids: readonly string[]): Memory[] {
    return ids.flatMap((id) => this.memories.get(id)?.memory ?? []);
  }

  /** Sorted by position. */
  turnsOf(sessionId: string): Utterance[] {
    const turns = [...(this.#turnsOf.get(sessionId) ?? [])].flatMap((id) => this.turns.get(id) ?? []);
    return turns.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  }

  putJudgements(judgements: readonly NewJudgement[]): void {
    for (const judgement of judgements) this.judgements.set(judgement.key, frozenCopy(judgement));
  }

  countUse({ ids, use, at }: NonNullable<MemoryRecord["uses"]>): void {
    for (const id of ids) {
      const stored = this.memories.get(id);
      if (stored === undefined) continue;
      const { usage } = stored.memory;
      const lastAccessedAt = Math.max(at, usage.lastAccessedAt ?? at);
      const memory = { ...stored.memory, usage: { ...usage, [use]: usage[use] + 1, lastAccessedAt } };
      this.memories.set(id, frozenCopy({ ...stored, memory }));
    }
  }

  /** In the order of their ids. */
  #lookUp(names: readonly string[]): Memory[] {
    const ids = new Set(names.flatMap((name) => [...(this.#lookups.get(name) ?? [])]));
    return this.byId([...ids].sort());
  }

  #forgetLookups(id: string): void {
    const known = this.memories.get(id);
    for (const name of known ? lookupsOf(known) : []) remove(this.#lookups, name, id);
  }

  #putTurn(turn: Utterance): void {
    this.removeTurn(turn.id);
    this.turns.set(turn.id, turn);
    this.#turnsOf.set(turn.sessionId, (this.#turnsOf.get(turn.sessionId) ?? new Set()).add(turn.id));
  }

  /** Use counts are kept here; writers do not change them. */
  #withCounts(stored: StoredMemory): StoredMemory {
    const known = this.memories.get(stored.memory.id)?.memory;
    return known === undefined ? stored : { ...stored, memory: { ...stored.memory, usage: known.usage } };
  }

  /** @throws StoreError `duplicate-id` */
  refuseTaken(journal: readonly JournalEntry[] = []): void {
    const seen = new Set<string>();
    for (const { id } of journal) {
      if (this.journal.has(id) || seen.has(id)) {
        throw new StoreError("duplicate-id", `Duplicate id of a journal entry: ${JSON.stringify(id)}.`);
      }
      seen.add(id);
    }
  }
}

/** Key of all current memories that have a category. */
const OF_CHAT = "chat";

function lookupsOf({ slot, fingerprint, memory }: StoredMemory): string[] {
  const { source, category } = memory;
  return [
    fingerprintName(fingerprint),
    ...(slot === undefined ? [] : [slotName(slot)]),
    ...(source.sessionId === undefined ? [] : [sessionName(source.sessionId)]),
    ...(category === undefined || !isCurrent(memory) ? [] : [OF_CHAT]),
  ];
}

/** The lookup that finds the fewest candidates; `undefined` if all memories have to be checked. */
function lookupsFor({ matchAny, sessionId, categorized, current }: MemoryFilter): string[] | undefined {
  if (matchAny !== undefined) {
    const { slots = [], fingerprints = [] } = matchAny;
    return [...slots.map(slotName), ...fingerprints.map(fingerprintName)];
  }
  if (sessionId !== undefined) return [sessionName(sessionId)];
  return categorized === true && current === true ? [OF_CHAT] : undefined;
}

function slotName(slot: string): string {
  return `slot ${slot}`;
}

function sessionName(sessionId: string): string {
  return `session ${sessionId}`;
}

function fingerprintName(fingerprint: string): string {
  return `fingerprint ${fingerprint}`;
}

function remove(sets: Map<string, Set<string>>, name: string, id: string): void {
  const set = sets.get(name);
  set?.delete(id);
  if (set?.size === 0) sets.delete(name);
}

/** Search data by id, in write order. */
class EntryLog {
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

/** Values by id, which can be gone through in the order of their ids. */
export class OrderedMap<T> {
  readonly #values = new Map<string, T>();
  /** In order, from when it was first asked for. */
  #ids: string[] | undefined;

  get(id: string): T | undefined {
    return this.#values.get(id);
  }

  set(id: string, value: T): void {
    if (!this.#values.has(id)) this.#ids?.splice(this.#placeOf(id), 0, id);
    this.#values.set(id, value);
  }

  delete(id: string): boolean {
    if (!this.#values.delete(id)) return false;
    this.#ids?.splice(this.#placeOf(id), 1);
    return true;
  }

  clear(): void {
    this.#ids = undefined;
    this.#values.clear();
  }

  get size(): number {
    return this.#values.size;
  }

  /** Items after an id, or all. Do not add or delete items during the iteration. */
  *behind(after?: string): Generator<T> {
    this.#ids ??= [...this.#values.keys()].sort();
    const ids = this.#ids;
    const start = after === undefined ? 0 : firstIndex(ids, (id) => id > after);
    for (let i = start; i < ids.length; i += 1) yield this.#values.get(ids[i] as string) as T;
  }

  #placeOf(id: string): number {
    return firstIndex(this.#ids ?? [], (one) => one >= id);
  }
}

/** Index of the first item of a sorted list that meets a condition, which all items after it meet too. */
function firstIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
