import type { Contradiction, Memory, Utterance } from "./memory.ts";
import type { StoredBlob } from "./store.ts";

// Memories are stored in spaces: one per user, one per project, and one system space. Every call names one space, and
// the content of a space is invisible from others. Space names are opaque to the store.

/** Two counters of a space. A cache of the space is up to date as long as they do not change. */
export interface SpaceHead {
  /** Number of commits and erasures. A commit that builds on an older revision fails. */
  readonly revision: number;
  /** Number of erasures. Nothing that was read in an earlier epoch may be written again. */
  readonly epoch: number;
}

/** A memory and the keys by which related memories are found. */
export interface StoredMemory {
  readonly memory: Memory;
  /** Subject and attribute: `user|residence`. */
  readonly slot?: string;
  /** Normalized words of the text, the same for every wording of one statement. */
  readonly fingerprint: string;
}

/** Packed search index data of a memory or a turn. Opaque to the store. */
export interface SearchEntry {
  /** Id of the memory or the turn. */
  readonly id: string;
  readonly entry: Uint8Array;
  /** Name of the embedder that made the vector. Both are missing if there is no vector. */
  readonly embedder?: string;
  readonly vector?: Uint8Array;
}

/** A search entry as it is stored. */
export interface StoredSearchEntry extends SearchEntry {
  /** Revision that wrote the entry. */
  readonly revision: number;
}

/** A change of one memory, contradiction or turn. */
export interface JournalChange {
  readonly kind: "memory" | "contradiction" | "turn";
  readonly id: string;
  /** The value before the change; missing if it did not exist. */
  readonly before?: Memory | Contradiction | Utterance;
  /** A digest of the value after the change: undo checks that it is still the same. */
  readonly after: string;
}

/** An operation on memories. It can be undone. */
export interface JournalEntry {
  readonly id: string;
  readonly at: number;
  /** The operation: `remember`, `update`, `forget`, `resolve`, `consolidate`, `import`, `undo`. */
  readonly action: string;
  readonly changes: readonly JournalChange[];
  /** Id of the entry that this one undoes. */
  readonly undoes?: string;
}

/** A model's verdict on whether two memories contradict each other. */
export interface StoredJudgement {
  readonly key: string;
  readonly contradicts: boolean;
}

/** A judgement to store. */
export interface NewJudgement extends StoredJudgement {
  /** Ids of the judged memories. The judgement is erased with them. */
  readonly memoryIds: readonly string[];
}

/** Collections of a space, with the types of their items. */
export interface MemoryCollections {
  readonly memories: Memory;
  readonly turns: Utterance;
  readonly entries: StoredSearchEntry;
  readonly contradictions: Contradiction;
  readonly journal: JournalEntry;
  /** Read by key; cannot be listed. */
  readonly judgements: StoredJudgement;
  /** Counts by project, sorted by project id, those without a project first. Only listed; cannot be read by id. */
  readonly projects: ProjectContents;
}

/** Items to read from one space. */
export interface SpaceLookup {
  readonly space: string;
  /** Reads the counters. Default: `false`. */
  readonly head?: boolean;
  /** Ids of memories and turns. Default: none. */
  readonly memories?: readonly string[];
  readonly turns?: readonly string[];
}

/** Items of one space, in the order of their ids. Unknown ids are skipped. */
export interface SpaceItems {
  /** The counters, if they were asked for. */
  readonly head?: SpaceHead | undefined;
  readonly memories: readonly Memory[];
  readonly turns: readonly Utterance[];
}

/** Filters for `list`, by collection. */
export interface MemoryFilters {
  readonly memories: MemoryFilter;
  readonly turns: UtteranceFilter;
  readonly entries: EntryFilter;
  readonly contradictions: ContradictionFilter;
  readonly journal: JournalFilter;
  readonly projects: ProjectFilter;
}

/** Selects memories, sorted by id unless `lastSeenFirst` is set. All conditions must hold. */
export interface MemoryFilter {
  /** Only memories that are valid (no end) and not archived. */
  readonly current?: boolean;
  /** Only facts of the chat: memories with a category. */
  readonly categorized?: boolean;
  /** Only memories that come from this session. */
  readonly sessionId?: string;
  /** Only memories that have one of these slots or one of these fingerprints. */
  readonly matchAny?: { readonly slots?: readonly string[]; readonly fingerprints?: readonly string[] };
  /** Only memories whose id is greater. */
  readonly after?: string;
  /** Sorts by the time of the last mention, latest first, and then by id in descending order. Default: false. */
  readonly lastSeenFirst?: boolean;
  readonly limit?: number;
}

/** Selects turns: those of a session sorted by position, or all sorted by id. */
export type UtteranceFilter =
  | {
      readonly sessionId: string;
      /** Only turns at this position or later. */
      readonly from?: number | undefined;
      /** Sorts by position in descending order. */
      readonly newestFirst?: boolean;
      readonly limit?: number | undefined;
    }
  | {
      /** Only turns whose id is greater. */
      readonly after?: string;
      readonly limit?: number;
    };

/**
 * Selects search entries: in the order in which they were written, optionally after a revision and an id of that
 * revision; or those without a vector of an embedder, sorted by id.
 */
export type EntryFilter =
  | { readonly after?: { readonly revision: number; readonly id?: string }; readonly limit?: number }
  | { readonly withoutVectorOf: string; readonly afterId?: string; readonly limit?: number };

/** Selects contradictions, oldest first. All conditions must hold. */
export interface ContradictionFilter {
  readonly status?: "open" | "resolved";
  /** Only contradictions that one of these memories is part of. */
  readonly of?: readonly string[];
}

/** Selects journal entries, newest first. */
export interface JournalFilter {
  /** Only entries that changed the memory, contradiction or turn with this id. */
  readonly of?: string;
  readonly limit?: number;
}

/**
 * Changes that are written in one transaction. A value replaces the stored one with the same id, except journal
 * entries. Usage counters of an existing memory do not change; a new memory is stored with the counters that it has.
 */
export interface MemoryCommit {
  /** Revision that the changes are based on. */
  readonly revision: number;
  readonly memories?: readonly StoredMemory[];
  readonly turns?: readonly Utterance[];
  readonly entries?: readonly SearchEntry[];
  readonly contradictions?: readonly Contradiction[];
  readonly journal?: readonly JournalEntry[];
  readonly blobs?: readonly StoredBlob[];
  /** The result of the operation, for wrappers of a store. Not stored. */
  readonly result?: unknown;
}

/** Kind of use of a memory. */
export type MemoryUse = "retrieved" | "cited" | "ignored";

/** Changes that are written without a new revision, because they do not invalidate caches of the space. */
export interface MemoryRecord {
  /** Counts a use for each id, and sets the time of the last use if it is later. */
  readonly uses?: { readonly ids: readonly string[]; readonly use: MemoryUse; readonly at: number };
  readonly judgements?: readonly NewJudgement[];
}

/** Memories and turns to erase. */
export interface Erasure {
  readonly memories: readonly string[];
  readonly turns: readonly string[];
  /** Changes to write in the same transaction, after the erasure; for example, the remains of an erased memory. */
  readonly write?: MemoryCommit;
}

/** Numbers of erased items. A memory that `write` writes again does not count. */
export interface ErasureReport {
  readonly memories: number;
  readonly turns: number;
  readonly contradictions: number;
  readonly journalChanges: number;
  readonly judgements: number;
}

/** All projects are listed. */
export type ProjectFilter = Readonly<Record<never, never>>;

/** Counts of the content of one project in a space. */
export interface ProjectContents {
  /** Missing for memories and turns without a project. */
  readonly projectId?: string;
  /** Number of memories, with those that ended or were archived. */
  readonly memories: number;
  /** Number of memories that are valid (no end) and not archived. */
  readonly current: number;
  /** Number of sessions that turns are stored of. */
  readonly sessions: number;
  /** Time of the last mention or use of a memory, or of the last turn, in milliseconds since 1970. */
  readonly lastUsedAt: number;
}

/** Memories, the turns that they come from, the search entries of both, contradictions, and the journal of changes. */
export interface MemoryStore {
  /**
   * Returns the counters of a space; both are 0 for an unknown one.
   *
   * @param space Name of the space.
   */
  head(space: string): Promise<SpaceHead>;
  /**
   * Returns items by id (judgements by key), in the order of `ids`. Unknown ids are skipped.
   *
   * @param space Name of the space.
   * @param collection Collection to read.
   * @param ids Ids of the items.
   */
  get<C extends Exclude<keyof MemoryCollections, "projects">>(
    space: string,
    collection: C,
    ids: readonly string[],
  ): Promise<readonly MemoryCollections[C][]>;
  /**
   * Returns the items of a collection.
   *
   * @param space Name of the space.
   * @param collection Collection to read.
   * @param filter Conditions, order and limit. Default: all items.
   */
  list<C extends keyof MemoryFilters>(
    space: string,
    collection: C,
    filter?: MemoryFilters[C],
  ): Promise<readonly MemoryCollections[C][]>;
  /**
   * Reads from several spaces that one caller sees. Optional: a store on a server reads all of them in one round trip.
   *
   * @param lookups Spaces, each with the items to read.
   * @returns the items of each space, in the order of `lookups`.
   */
  lookUp?(lookups: readonly SpaceLookup[]): Promise<readonly SpaceItems[]>;
  /**
   * Writes everything in one transaction and increments the revision. Of two values with one id the last one counts.
   *
   * @param space Name of the space. The first commit creates it.
   * @param commit Changes, with the revision that they are based on.
   * @returns `false` if the space has another revision than `commit.revision`; then nothing is written.
   * @throws StoreError `duplicate-id` if the id of a journal entry is taken.
   */
  commit(space: string, commit: MemoryCommit): Promise<boolean>;
  /**
   * Writes use counts and judgements in one transaction, without a new revision.
   *
   * @param space Name of the space.
   * @param record Use counts and judgements.
   */
  record(space: string, record: MemoryRecord): Promise<void>;
  /**
   * Erases memories and turns with everything about them: search entries, contradictions, judgements, their changes in
   * the journal, and references to them in other memories and in the journal (`links`, `supersedes`, `supersededBy`).
   * Also erases journal changes of other turns that one of the erased items had outdated, journal entries that have no
   * changes left, and all blobs of the space, because they may contain erased text. Increments revision and epoch. No
   * erased data remains in files.
   *
   * @param space Name of the space.
   * @param erasure Ids to erase. `write` is written in the same transaction, unchanged, even if it names erased items.
   * @returns the numbers of erased items; `undefined` if the space has another revision than `write.revision`, and then
   *   nothing changes.
   * @throws StoreError `duplicate-id` if the id of a journal entry of `write` is taken.
   */
  erase(space: string, erasure: Erasure): Promise<ErasureReport | undefined>;
  /**
   * Takes or renews the lease on a piece of work. An expired lease is free.
   *
   * @param space Name of the space.
   * @param work Name of the work.
   * @param holder Name of the process or object that asks.
   * @param milliseconds Time until the lease expires; 0 gives it back. Giving back a lease of another holder has no
   *   effect.
   * @returns whether `holder` has the lease now.
   */
  lease(space: string, work: string, holder: string, milliseconds: number): Promise<boolean>;
  /**
   * Returns the names of all spaces that have at least one commit, sorted.
   *
   * @param page Maximum number (`limit`), and the name after which the list starts (`after`). Default: all.
   */
  spaces(page?: { readonly after?: string; readonly limit?: number }): Promise<readonly string[]>;
}

/** The number of occurrences of each item, in the order of the first ones. */
export function countsOf<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
