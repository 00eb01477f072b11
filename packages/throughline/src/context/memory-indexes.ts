import { readChanges, readState, type SpaceState } from "../memory/service/read-changes.ts";
import { readMemories } from "../memory/service/read-pages.ts";
import { type Caller, isVisible, visibleSpaces } from "../memory/service/spaces.ts";
import type { Contradiction, Memory } from "../ports/memory.ts";
import type { MemoryStore, SpaceHead } from "../ports/memory-store.ts";
import { MemoryIndex } from "./memory-index.ts";
import { readEntry } from "./memory-index-entry.ts";

interface Held extends SpaceState {
  readonly memoryIndex: MemoryIndex;
}

/** Memory indexes of all spaces that the caller can see, at one point in time. */
export interface Sight {
  readonly memoryIndexes: readonly MemoryIndex[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
}

/**
 * Memory indexes by space. Each is built on first use and then updated incrementally from the journal, which lists
 * every change of a memory.
 */
export class MemoryIndexes {
  readonly #memoryStore: MemoryStore;
  readonly #caller: Caller;
  readonly #held = new Map<string, Held>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(memoryStore: MemoryStore, caller: Caller) {
    this.#memoryStore = memoryStore;
    this.#caller = caller;
  }

  /** Reads are serialized, so that no caller sees a half-updated index. */
  open(): Promise<Sight> {
    const reading = this.#reading.then(() => this.#open());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #open(): Promise<Sight> {
    const held = await Promise.all(visibleSpaces(this.#caller).map((space) => this.#read(space)));
    return {
      memoryIndexes: held.map(({ memoryIndex }) => memoryIndex),
      revision: held.map(({ revision, epoch }) => `${revision}.${epoch}`).join(" "),
    };
  }

  async #read(space: string): Promise<Held> {
    const head = await this.#memoryStore.head(space);
    const known = this.#held.get(space);
    if (known !== undefined && known.epoch === head.epoch && known.revision === head.revision) return known;
    const read = (known && (await this.#readNew(space, head, known))) ?? (await this.#readAll(space, head));
    this.#held.set(space, read);
    return read;
  }

  async #readAll(space: string, head: SpaceHead): Promise<Held> {
    const state = await readState(this.#memoryStore, space, head);
    const memoryIndex = new MemoryIndex();
    for await (const page of readMemories(this.#memoryStore, space, { current: true })) {
      for (const memory of page) this.#put(memoryIndex, memory, space);
    }
    memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    return { ...state, memoryIndex };
  }

  async #readNew(space: string, head: SpaceHead, known: Held): Promise<Held | undefined> {
    const changes = await readChanges(this.#memoryStore, space, head, known);
    if (changes === undefined) return undefined;
    const { memoryIndex } = known;
    for (const id of changes.ids) memoryIndex.remove(id);
    for (const memory of changes.memories) this.#put(memoryIndex, memory, space);
    if (changes.hasChanges) memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    return { ...changes.state, memoryIndex };
  }

  #put(memoryIndex: MemoryIndex, memory: Memory, space: string): void {
    const holds = memory.validTo === undefined && memory.archivedAt === undefined;
    if (!holds || !isVisible(memory, this.#caller)) return;
    const entry = readEntry(memory, space);
    memoryIndex.put(this.#isOfOtherWork(memory) ? { ...entry, roles: [] } : entry);
  }

  /** True for an episode of a session without a project. A project's work has to do with it only if it is asked for. */
  #isOfOtherWork({ kind, projectId, source, pinned }: Memory): boolean {
    const isOfSession = kind === "episode" && source.sessionId !== undefined && !pinned;
    return isOfSession && projectId === undefined && this.#caller.projectId !== undefined;
  }

  async #openContradictions(space: string, memoryIndex: MemoryIndex): Promise<readonly Contradiction[]> {
    const open = await this.#memoryStore.list(space, "contradictions", { status: "open" });
    return open.filter(({ memoryA, memoryB }) => [memoryA, memoryB].every((id) => memoryIndex.get(id) !== undefined));
  }
}
