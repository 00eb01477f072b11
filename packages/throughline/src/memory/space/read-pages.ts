import type { Memory, Utterance } from "../../ports/memory.ts";
import type { MemoryFilter, MemoryStore, StoredSearchEntry } from "../../ports/memory-store.ts";

/** Page size for search entries and memories. */
const PAGE = 2_000;
const MEMORY_PAGE_SIZE = 1_000;

/** Search entries of a space that were written after a revision, in write order, page by page. */
export async function* readEntries(
  memoryStore: MemoryStore,
  space: string,
  revision = 0,
): AsyncGenerator<readonly StoredSearchEntry[]> {
  let after: { readonly revision: number; readonly id?: string } = { revision };
  for (;;) {
    const page = await memoryStore.list(space, "entries", { after, limit: PAGE });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { revision: last.revision, id: last.id };
  }
}

/** The memories of a space, sorted by id, page by page. */
export async function* readMemories(
  memoryStore: MemoryStore,
  space: string,
  filter: Omit<MemoryFilter, "limit"> = {},
): AsyncGenerator<readonly Memory[]> {
  let { after = "" } = filter;
  for (;;) {
    const page = await memoryStore.list(space, "memories", { ...filter, after, limit: MEMORY_PAGE_SIZE });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < MEMORY_PAGE_SIZE) return;
    after = last.id;
  }
}

/** The last turn of a session; `undefined` if it has none. */
export async function readLastTurn(
  memoryStore: MemoryStore,
  space: string,
  sessionId: string,
): Promise<Utterance | undefined> {
  const [turn] = await memoryStore.list(space, "turns", { sessionId, newestFirst: true, limit: 1 });
  return turn;
}
