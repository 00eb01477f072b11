import { readMemories } from "../memory/service/read-pages.ts";
import { type Caller, isVisible, visibleSpaces } from "../memory/service/spaces.ts";
import type { Contradiction, Memory } from "../ports/memory.ts";
import type { MemoryStore, SpaceHead } from "../ports/memory-store.ts";
import { MemoryIndex } from "./memory-index.ts";
import { readEntry } from "./memory-index-entry.ts";

/** With more changes, the whole space is read again, which is simpler and not much slower. */
const MAX_CHANGES = 1_000;

interface Held extends SpaceHead {
  readonly memoryIndex: MemoryIndex;
  /** Id of the newest journal entry that the index includes. */
  readonly journalId: string | undefined;
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
    // Writes during the read have later journal entries, so the next update includes them.
    const [last] = head.revision === 0 ? [] : await this.#memoryStore.list(space, "journal", { limit: 1 });
    const memoryIndex = new MemoryIndex();
    for await (const page of readMemories(this.#memoryStore, space, { current: true })) {
      for (const memory of page) this.#put(memoryIndex, memory, space);
    }
    memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    return { ...head, memoryIndex, journalId: last?.id };
  }

  /** Undefined if the journal does not reach back to the known revision. */
  async #readNew(space: string, head: SpaceHead, known: Held): Promise<Held | undefined> {
    const behind = head.revision - known.revision;
    if (known.epoch !== head.epoch || behind < 0 || behind > MAX_CHANGES) return undefined;
    const entries = await this.#memoryStore.list(space, "journal", { limit: behind + 1 });
    const seen = entries.findIndex(({ id }) => id === known.journalId);
    const reachesBack = seen >= 0 || (known.journalId === undefined && entries.length <= behind);
    if (!reachesBack) return undefined;
    const changes = entries.slice(0, seen < 0 ? undefined : seen).flatMap((entry) => entry.changes);
    const ids = [...new Set(changes.filter(({ kind }) => kind === "memory").map(({ id }) => id))];
    const memories = ids.length === 0 ? [] : await this.#memoryStore.get(space, "memories", ids);
    const { memoryIndex } = known;
    for (const id of ids) memoryIndex.remove(id);
    for (const memory of memories) this.#put(memoryIndex, memory, space);
    if (changes.some(({ kind }) => kind !== "turn")) {
      memoryIndex.contradictions = await this.#openContradictions(space, memoryIndex);
    }
    return { ...head, memoryIndex, journalId: entries[0]?.id ?? known.journalId };
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
