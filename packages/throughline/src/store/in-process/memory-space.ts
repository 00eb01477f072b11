import { StoreError } from "../../errors/store-error.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type {
  JournalEntry,
  MemoryCommit,
  MemoryFilter,
  MemoryUse,
  StoredJudgement,
  StoredMemory,
} from "../../ports/memory-store.ts";
import { EntryLog } from "./entry-log.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { OrderedMap } from "./ordered-map.ts";

/** One space. Nothing in it is ever changed, only replaced: what was read stays as it was. */
export class MemorySpace {
  readonly name: string;
  revision = 0;
  epoch = 0;
  readonly memories = new OrderedMap<StoredMemory>();
  readonly turns = new Map<string, Turn>();
  readonly entries = new EntryLog();
  readonly contradictions = new Map<string, Contradiction>();
  /** The oldest first. */
  readonly journal = new Map<string, JournalEntry>();
  readonly judgements = new Map<string, StoredJudgement>();
  readonly leases = new Map<string, { readonly holder: string; readonly until: number }>();
  /** Ids of memories by what they are looked up by. */
  readonly #lookups = new Map<string, Set<string>>();
  /** Ids of turns by session. */
  readonly #turnsOf = new Map<string, Set<string>>();

  constructor(name: string) {
    this.name = name;
  }

  /** @throws StoreError `duplicate-id` where a journal entry of that id is there; then nothing is written. */
  write({ memories = [], turns = [], entries = [], contradictions = [], journal = [] }: MemoryCommit): void {
    this.refuseTaken(journal);
    this.revision += 1;
    const last = new Map(memories.map((shelved) => [shelved.memory.id, shelved]));
    for (const shelved of last.values()) this.put(frozenCopy(this.#withCounts(shelved)));
    for (const turn of turns) this.#putTurn(frozenCopy(turn));
    this.entries.put(this.revision, entries);
    for (const contradiction of contradictions) this.contradictions.set(contradiction.id, frozenCopy(contradiction));
    for (const entry of journal) this.journal.set(entry.id, frozenCopy(entry));
  }

  put(shelved: StoredMemory): void {
    const { id } = shelved.memory;
    this.#forgetLookups(id);
    this.memories.set(id, shelved);
    for (const name of lookupsOf(shelved)) this.#lookups.set(name, (this.#lookups.get(name) ?? new Set()).add(id));
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

  /** In the order of their ids. Of all that fit the filter, and some that do not. */
  *candidates({ slot, sessionId, categorised, current, after }: MemoryFilter): Generator<Memory> {
    const name =
      (slot !== undefined && slotName(slot)) ||
      (sessionId !== undefined && sessionName(sessionId)) ||
      (categorised === true && current === true && OF_CHAT);
    if (name === false) for (const { memory } of this.memories.behind(after)) yield memory;
    else for (const memory of this.#lookUp([name])) if (after === undefined || memory.id > after) yield memory;
  }

  related(slots: readonly string[], fingerprint: string): Memory[] {
    return this.#lookUp([...slots.map(slotName), fingerprintName(fingerprint)]).filter(isCurrent);
  }

  byId(ids: readonly string[]): Memory[] {
    return ids.flatMap((id) => this.memories.get(id)?.memory ?? []);
  }

  /** By position. */
  turnsOf(sessionId: string): Turn[] {
    const turns = [...(this.#turnsOf.get(sessionId) ?? [])].flatMap((id) => this.turns.get(id) ?? []);
    return turns.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  }

  countTurns(sessionId: string): number {
    return this.#turnsOf.get(sessionId)?.size ?? 0;
  }

  countUse(ids: readonly string[], use: MemoryUse, at: number): void {
    for (const id of new Set(ids)) {
      const shelved = this.memories.get(id);
      if (shelved === undefined) continue;
      const { usage } = shelved.memory;
      const lastAccessedAt = Math.max(at, usage.lastAccessedAt ?? at);
      const memory = { ...shelved.memory, usage: { ...usage, [use]: usage[use] + 1, lastAccessedAt } };
      this.memories.set(id, frozenCopy({ ...shelved, memory }));
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

  #putTurn(turn: Turn): void {
    this.removeTurn(turn.id);
    this.turns.set(turn.id, turn);
    this.#turnsOf.set(turn.sessionId, (this.#turnsOf.get(turn.sessionId) ?? new Set()).add(turn.id));
  }

  /** How often it was used is counted here, and not by whoever writes it. */
  #withCounts(shelved: StoredMemory): StoredMemory {
    const known = this.memories.get(shelved.memory.id)?.memory;
    return known === undefined ? shelved : { ...shelved, memory: { ...shelved.memory, usage: known.usage } };
  }

  /** @throws StoreError `duplicate-id` */
  refuseTaken(journal: readonly JournalEntry[] = []): void {
    const seen = new Set<string>();
    for (const { id } of journal) {
      if (this.journal.has(id) || seen.has(id)) {
        throw new StoreError("duplicate-id", `The id of journal entry ${id} is taken.`);
      }
      seen.add(id);
    }
  }
}

/** It still holds and is not put away. */
export function isCurrent({ validTo, archivedAt }: Memory): boolean {
  return validTo === undefined && archivedAt === undefined;
}

/** The name of all current memories that have a category. */
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
