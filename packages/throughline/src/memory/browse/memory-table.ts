import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { MemoryStore, SpaceHead } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../service/memory-context.ts";
import { readChanges, readState, type SpaceState } from "../service/read-changes.ts";
import { readMemories } from "../service/read-pages.ts";
import { isVisible, visibleSpaces } from "../service/spaces.ts";
import { type MemoryRow, rowOf } from "./memory-row.ts";

interface Held extends SpaceState {
  readonly rows: Map<string, MemoryRow>;
}

/** Rows of all memories that the caller can see. */
export interface MemoryRows {
  /** Last mentioned first. */
  readonly rows: readonly MemoryRow[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
}

/**
 * Rows of memories by space. They are read on first use and then updated from the journal, so that a page of a long list
 * takes little work.
 */
export class MemoryTable {
  readonly #context: MemoryContext;
  readonly #held = new Map<string, Held>();
  #sorted: MemoryRows | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(context: MemoryContext) {
    this.#context = context;
  }

  /** Reads are serialized, so that no caller sees half-updated rows. */
  open(): Promise<MemoryRows> {
    const reading = this.#reading.then(() => this.#open());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #open(): Promise<MemoryRows> {
    const held = await Promise.all(visibleSpaces(this.#context).map((space) => this.#read(space)));
    const revision = held.map((one) => `${one.revision}.${one.epoch}`).join(" ");
    if (this.#sorted?.revision === revision) return this.#sorted;
    const rows = held.flatMap((one) => [...one.rows.values()]);
    this.#sorted = { rows: rows.sort(lastMentionedFirst), revision };
    return this.#sorted;
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
    const rows = new Map<string, MemoryRow>();
    for await (const page of readMemories(this.#memoryStore, space)) {
      for (const memory of page) if (isVisible(memory, this.#context)) rows.set(memory.id, rowOf(memory, space));
      await yieldToEventLoop();
    }
    return { ...state, rows };
  }

  async #readNew(space: string, head: SpaceHead, known: Held): Promise<Held | undefined> {
    const changes = await readChanges(this.#memoryStore, space, head, known);
    if (changes === undefined) return undefined;
    const { rows } = known;
    for (const id of changes.ids) rows.delete(id);
    for (const memory of changes.memories) {
      if (isVisible(memory, this.#context)) rows.set(memory.id, rowOf(memory, space));
    }
    return { ...changes.state, rows };
  }

  get #memoryStore(): MemoryStore {
    return this.#context.memoryStore;
  }
}

function lastMentionedFirst(a: MemoryRow, b: MemoryRow): number {
  return b.lastSeenAt - a.lastSeenAt || (a.id < b.id ? 1 : -1);
}
