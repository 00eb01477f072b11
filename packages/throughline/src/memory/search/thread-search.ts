import { applyChanges, changedColumns, type SentColumn, type SharedColumn } from "./index/columns.ts";
import { IndexLock } from "./index/index-lock.ts";
import { questionTerms } from "./query/read-question.ts";
import {
  type Candidates,
  type FoundDocuments,
  findDocuments,
  type Question,
  searchIndexes,
  toCandidates,
} from "./search.ts";
import { SearchIndex, type SharedIndex } from "./search-index.ts";

/** Default of {@link SearchExecutor.minEntries}: fewer are searched in less time than it takes to ask a thread. */
const MIN_ENTRIES = 20_000;

/** A thread that computes searches beside the one that answers requests. */
export interface SearchThread {
  /** Number of the thread, from 1 on. A new thread can have that of one that has ended. */
  readonly number: number;
  /**
   * Sends a message to the thread, which passes it to {@link answerSearches}. Resolves with its result; rejects if the
   * thread failed or ended.
   */
  ask(message: unknown): Promise<unknown>;
}

/** Runs searches of large indexes in other threads of this process. */
export interface SearchExecutor {
  /** Highest number of a thread. */
  readonly threads: number;
  /** Number of entries from which a search runs in a thread. Default: 20,000. */
  readonly minEntries?: number;
  /** The threads that are running. */
  readonly running: readonly SearchThread[];
  /** Calls `work` with a thread that has time for it. Rejects if no thread can be started. */
  use<T>(work: (thread: SearchThread) => Promise<T>): Promise<T>;
}

/** The state of each index that a thread has, by the id of the index. */
type KnownIndexes = Map<number, SharedIndex>;

/** An index as a thread gets it. */
export interface SentIndex extends Pick<SharedIndex, "id" | "generation"> {
  /** Columns that changed since the thread got the index; all columns if it does not have this generation. */
  readonly changed?: readonly SentColumn[];
}

/** A message to {@link answerSearches}. */
export type SearchMessage =
  | { readonly indexes: readonly SentIndex[]; readonly question: Question; readonly limit: number }
  /** Id of an index that is no longer in use. */
  | { readonly dropped: number };

/**
 * Searches like {@link searchIndexes}, with the same result: large indexes in a thread of the executor.
 * While a thread reads an index, this one does not change it. If the thread fails, this one searches. `read` reads what
 * is needed of the indexes, before they can change.
 */
export async function searchInThreads<T>(
  executor: SearchExecutor,
  indexes: readonly SearchIndex[],
  question: Question,
  limit: number,
  read: (found: Candidates) => T,
): Promise<T> {
  const size = indexes.reduce((sum, index) => sum + index.size, 0);
  if (size < (executor.minEntries ?? MIN_ENTRIES)) return read(searchIndexes(indexes, question, limit));
  const { rarity, ...others } = question;
  const asked = { ...others, terms: questionTerms(question) };
  try {
    return await executor.use(async (thread) => {
      const release = await IndexLock.read(indexes.map(({ lock }) => lock));
      try {
        const message: SearchMessage = { indexes: sentBy(executor).send(indexes, thread), question: asked, limit };
        return read(toCandidates(indexes, (await thread.ask(message)) as FoundDocuments));
      } finally {
        release();
      }
    });
  } catch {
    // The executor has logged why. An error of the search itself is thrown again.
    return read(searchIndexes(indexes, question, limit));
  }
}

/** The indexes that each thread of an executor has. */
class SentIndexes {
  readonly #executor: SearchExecutor;
  readonly #known = new WeakMap<SearchThread, KnownIndexes>();
  /** Threads release the memory of indexes that are no longer in use. */
  readonly #unused = new FinalizationRegistry<number>((id) => this.#drop(id));

  constructor(executor: SearchExecutor) {
    this.#executor = executor;
  }

  /** The indexes for a message to a thread. */
  send(indexes: readonly SearchIndex[], thread: SearchThread): readonly SentIndex[] {
    const known = this.#knownBy(thread);
    return indexes.map((index) => {
      const user = users.get(index) ?? this;
      if (user !== this)
        throw new Error("Cannot search this index: another executor uses it. Search it with that executor.");
      const shared = index.share(this.#executor.threads);
      const { id, generation, columns } = shared;
      if (!users.has(index)) this.#unused.register(index, id);
      users.set(index, this);
      const before = known.get(id);
      if (before === shared) return { id, generation };
      known.set(id, shared);
      return {
        id,
        generation,
        changed: changedColumns(columns, before?.generation === generation ? before.columns : []),
      };
    });
  }

  #knownBy(thread: SearchThread): KnownIndexes {
    const known = this.#known.get(thread) ?? new Map<number, SharedIndex>();
    this.#known.set(thread, known);
    return known;
  }

  #drop(id: number): void {
    for (const thread of this.#executor.running) {
      if (!this.#knownBy(thread).delete(id)) continue;
      const message: SearchMessage = { dropped: id };
      // A thread that has ended has no index.
      thread.ask(message).catch(() => undefined);
    }
  }
}

/** Each thread has room of its own for results in an index, so only one executor can use it. */
const users = new WeakMap<SearchIndex, SentIndexes>();
const byExecutor = new WeakMap<SearchExecutor, SentIndexes>();

function sentBy(executor: SearchExecutor): SentIndexes {
  const sent = byExecutor.get(executor) ?? new SentIndexes(executor);
  byExecutor.set(executor, sent);
  return sent;
}

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
