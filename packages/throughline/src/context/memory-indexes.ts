import type { SpaceChanges } from "../memory/space/read-changes.ts";
import { readMemories } from "../memory/space/read-pages.ts";
import { SpaceCache } from "../memory/space/space-cache.ts";
import { type Caller, isVisible } from "../memory/space/spaces.ts";
import type { Contradiction, Memory } from "../ports/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { MemoryIndex } from "./memory-index.ts";
import { readEntry } from "./memory-index-entry.ts";

/** Memory indexes of all spaces that the caller can see, at one point in time. */
export interface Sight {
  readonly memoryIndexes: readonly MemoryIndex[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
}

/** Memory indexes by space. */
export class MemoryIndexes {
  readonly #memoryStore: MemoryStore;
  readonly #caller: Caller;
  readonly #cache: SpaceCache<MemoryIndex>;

  constructor(memoryStore: MemoryStore, caller: Caller) {
    this.#memoryStore = memoryStore;
    this.#caller = caller;
    this.#cache = new SpaceCache(memoryStore, caller, {
      read: (space) => this.#read(space),
      update: (memoryIndex, changes, space) => this.#update(memoryIndex, changes, space),
    });
  }

  async open(): Promise<Sight> {
    const { spaces, revision } = await this.#cache.open();
    return { memoryIndexes: spaces, revision };
  }

  async #read(space: string): Promise<MemoryIndex> {
    const memoryIndex = new MemoryIndex();
    for await (const page of readMemories(this.#memoryStore, space, { current: true })) {
      for (const memory of page) this.#put(memoryIndex, memory, space);
    }
    memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    return memoryIndex;
  }

  async #update(memoryIndex: MemoryIndex, changes: SpaceChanges, space: string): Promise<MemoryIndex> {
    for (const id of changes.ids) memoryIndex.remove(id);
    for (const memory of changes.memories) this.#put(memoryIndex, memory, space);
    if (changes.hasChanges) memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    return memoryIndex;
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
