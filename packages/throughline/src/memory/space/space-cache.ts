import type { MemoryStore } from "../../ports/memory-store.ts";
import { readChanges, readState, type SpaceChanges, type SpaceState } from "./read-changes.ts";
import { type Caller, visibleSpaces } from "./spaces.ts";

/** Data that is derived from the memories of a space. */
export interface SpaceReader<T> {
  readonly read: (space: string) => Promise<T>;
  /** Applies the changes of the space since the data was read. */
  readonly update: (data: T, changes: SpaceChanges, space: string) => Promise<T>;
}

/** Data of all spaces that the caller can see, at one point in time. */
export interface CachedSpaces<T> {
  readonly spaces: readonly T[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
}

interface Held<T> {
  readonly state: SpaceState;
  readonly data: T;
}

/** Data by space. It is read on first use and then updated from the journal, which lists every change of a memory. */
export class SpaceCache<T> {
  readonly #memoryStore: MemoryStore;
  readonly #caller: Caller;
  readonly #reader: SpaceReader<T>;
  readonly #held = new Map<string, Held<T>>();
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
    const held = await Promise.all(visibleSpaces(this.#caller).map((space) => this.#read(space)));
    return {
      spaces: held.map(({ data }) => data),
      revision: held.map(({ state: { revision, epoch } }) => `${revision}.${epoch}`).join(" "),
    };
  }

  async #read(space: string): Promise<Held<T>> {
    const head = await this.#memoryStore.head(space);
    const known = this.#held.get(space);
    if (known?.state.epoch === head.epoch && known.state.revision === head.revision) return known;
    const changes = known && (await readChanges(this.#memoryStore, space, head, known.state));
    const read =
      known !== undefined && changes !== undefined
        ? { state: changes.state, data: await this.#reader.update(known.data, changes, space) }
        : { state: await readState(this.#memoryStore, space, head), data: await this.#reader.read(space) };
    this.#held.set(space, read);
    return read;
  }
}
