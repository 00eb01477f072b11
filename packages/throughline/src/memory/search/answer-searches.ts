import { applyChanges, type SharedColumn } from "./index/shared-columns.ts";
import { type FoundDocuments, findDocuments } from "./search.ts";
import { SearchIndex } from "./search-index.ts";
import type { SearchMessage, SentIndex } from "./thread-search.ts";

interface AttachedIndex {
  readonly index: SearchIndex;
  readonly generation: number;
  readonly columns: readonly SharedColumn[];
}

/**
 * The other side of {@link searchInThreads}: answers the messages to a thread, one at a time. The thread reads the
 * indexes in the memory that it shares, and keeps what it derives from them until they change.
 *
 * @param thread Number of the thread.
 */
export function answerSearches(thread: number): (message: unknown) => FoundDocuments | undefined {
  const attached = new Map<number, AttachedIndex>();
  const attach = ({ id, generation, changed }: SentIndex): SearchIndex => {
    const held = attached.get(id);
    const known = held?.generation === generation ? held : undefined;
    if (changed === undefined) {
      if (known === undefined) throw new Error(`Cannot search index ${id}: search thread ${thread} has not loaded it.`);
      return known.index;
    }
    const columns = applyChanges(changed, known?.columns);
    const index = known?.index ?? new SearchIndex();
    index.attach(columns, thread);
    attached.set(id, { index, generation, columns });
    return index;
  };
  return (message) => {
    const search = message as SearchMessage;
    if (!("dropped" in search)) return findDocuments(search.indexes.map(attach), search.question, search.limit);
    attached.delete(search.dropped);
    return undefined;
  };
}
