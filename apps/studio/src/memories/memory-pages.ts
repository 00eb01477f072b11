import { Notifier } from "../app/notifier.ts";
import { browseMemories, type ListedMemory, type Query } from "./memory-api.ts";

const PAGE = 100;

interface Pages {
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  /** Memories that were read, by their place in the list. */
  readonly items: ReadonlyMap<number, ListedMemory>;
  readonly problem: string | undefined;
}

/** A list of memories of which only the pages that are looked at are read. */
export class MemoryPages extends Notifier<Pages> {
  readonly #query: Query;
  readonly #read: typeof browseMemories;
  #requests = new Map<number, AbortController>();
  #range: readonly [number, number] = [0, 0];

  constructor(query: Query, read = browseMemories) {
    super({ total: undefined, items: new Map(), problem: undefined });
    this.#query = query;
    this.#read = read;
  }

  /** Reads the pages of a range that are missing. Pages that left the screen before they arrived are not read. */
  show(from: number, to: number): void {
    this.#range = [from, to];
    const [first, last] = [Math.floor(from / PAGE), Math.floor(to / PAGE)];
    for (const [page, abort] of this.#requests) {
      if ((page < first || page > last) && !abort.signal.aborted && !this.#has(page)) {
        abort.abort();
        this.#requests.delete(page);
      }
    }
    for (let page = first; page <= last; page += 1) if (!this.#requests.has(page)) void this.#load(page);
  }

  /** Reads the shown pages again. The old items stay until the response arrives. */
  refresh(): void {
    this.close();
    this.show(...this.#range);
  }

  close(): void {
    for (const abort of this.#requests.values()) abort.abort();
    this.#requests = new Map();
  }

  #has(page: number): boolean {
    return this.getSnapshot().items.has(page * PAGE);
  }

  async #load(page: number): Promise<void> {
    const abort = new AbortController();
    this.#requests.set(page, abort);
    try {
      const { total, items } = await this.#read({ ...this.#query, offset: page * PAGE, limit: PAGE }, abort.signal);
      if (abort.signal.aborted) return;
      const known = new Map([...this.getSnapshot().items].filter(([place]) => place < total));
      items.forEach((item, at) => void known.set(page * PAGE + at, item));
      this.set({ total, items: known, problem: undefined });
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#requests.delete(page);
      this.set({ problem: error instanceof Error ? error.message : String(error) });
    }
  }
}
