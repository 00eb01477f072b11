import type { Memory } from "../../ports/memory.ts";
import type { MemoryStore, SpaceHead } from "../../ports/memory-store.ts";
import { type Caller, visibleSpaces } from "./spaces.ts";

/** A state of a space that was read. */
export interface SpaceState extends SpaceHead {
  /** Id of the newest journal entry of that state. */
  readonly journalId: string | undefined;
}

/** Changes of a space since a known state. */
export interface SpaceChanges {
  readonly state: SpaceState;
  /** Ids of the changed memories. */
  readonly ids: readonly string[];
  /** The changed memories as they are now, ended and archived ones included. */
  readonly memories: readonly Memory[];
  /** True if a memory or a contradiction changed. */
  readonly hasChanges: boolean;
}

/** Data that is derived from the memories of a space. */
export interface SpaceReader<T> {
  /** Reads the space at a state, or later. */
  readonly read: (space: string, state: SpaceState) => Promise<T>;
  /** Applies the changes of the space since the data was read. */
  readonly update: (data: T, changes: SpaceChanges, space: string) => Promise<T>;
}

/** Data of all spaces that the caller can see, at one point in time. */
export interface CachedSpaces<T> {
  readonly spaces: readonly T[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
}

interface CachedSpace<T> {
  readonly state: SpaceState;
  readonly data: T;
}

/** Data by space. It is read on first use and then updated from the journal, which lists every change of a memory. */
export class SpaceCache<T> {
  readonly #memoryStore: MemoryStore;
  readonly #caller: Caller;
  readonly #reader: SpaceReader<T>;
  readonly #cached = new Map<string, CachedSpace<T>>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(memoryStore: MemoryStore, caller: Caller, reader: SpaceReader<T>) {
    this.#memoryStore = memoryStore;
    this.#caller = caller;
    this.#reader = reader;
  }

  /** Reads are serialized, so that no caller sees half-updated data. */
  open(): Promise<CachedSpaces<T>> {
    const reading = this.#reading.then(() => this.#open());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #open(): Promise<CachedSpaces<T>> {
    const cached = await Promise.all(visibleSpaces(this.#caller).map((space) => this.#read(space)));
    return {
      spaces: cached.map(({ data }) => data),
      revision: cached.map(({ state: { revision, epoch } }) => `${revision}.${epoch}`).join(" "),
    };
  }

  async #read(space: string): Promise<CachedSpace<T>> {
    const head = await this.#memoryStore.head(space);
    const known = this.#cached.get(space);
    if (known?.state.epoch === head.epoch && known.state.revision === head.revision) return known;
    const changes = known && (await readChanges(this.#memoryStore, space, head, known.state));
    const read =
      known !== undefined && changes !== undefined
        ? { state: changes.state, data: await this.#reader.update(known.data, changes, space) }
        : await this.#readAll(space, head);
    this.#cached.set(space, read);
    return read;
  }

  async #readAll(space: string, head: SpaceHead): Promise<CachedSpace<T>> {
    const state = await readState(this.#memoryStore, space, head);
    return { state, data: await this.#reader.read(space, state) };
  }
}

/** With more commits, reading the whole space again is simpler and not much slower. */
const MAX_COMMITS = 1_000;

/** The current state of a space. Writes after it have later journal entries, so `readChanges` includes them. */
async function readState(memoryStore: MemoryStore, space: string, head: SpaceHead): Promise<SpaceState> {
  const [last] = head.revision === 0 ? [] : await memoryStore.list(space, "journal", { limit: 1 });
  return { ...head, journalId: last?.id };
}

/**
 * Reads the changes of a space since a known state from its journal, which lists every change of a memory. Undefined if
 * the journal does not reach back to that state.
 */
export async function readChanges(
  memoryStore: MemoryStore,
  space: string,
  head: SpaceHead,
  known: SpaceState,
): Promise<SpaceChanges | undefined> {
  const behind = head.revision - known.revision;
  if (known.epoch !== head.epoch || behind < 0 || behind > MAX_COMMITS) return undefined;
  const entries = await memoryStore.list(space, "journal", { limit: behind + 1 });
  const seen = entries.findIndex(({ id }) => id === known.journalId);
  const reachesBack = seen >= 0 || (known.journalId === undefined && entries.length <= behind);
  if (!reachesBack) return undefined;
  const changes = entries.slice(0, seen < 0 ? undefined : seen).flatMap((entry) => entry.changes);
  const ids = [...new Set(changes.filter(({ kind }) => kind === "memory").map(({ id }) => id))];
  const memories = ids.length === 0 ? [] : await memoryStore.get(space, "memories", ids);
  const state = { revision: head.revision, epoch: head.epoch, journalId: entries[0]?.id ?? known.journalId };
  return { state, ids, memories, hasChanges: changes.some(({ kind }) => kind !== "turn") };
}
