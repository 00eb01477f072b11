import type { Contradiction, Memory, Turn } from "./memory.ts";

// Memories live in spaces: what one person keeps, what a project shares, what everybody has. Every call names one space,
// and what is in one is never seen from another. A space's name means nothing to the store.

/** What changes in a space, in two numbers: who holds its search index in memory sees whether it is still right. */
export interface SpaceHead {
  /** How often something was committed or erased: a commit that builds on what was read before fails. */
  readonly revision: number;
  /** How often something was erased: what was read before is worth nothing any more. */
  readonly epoch: number;
}

/** A memory, and by what it is looked up when something is said of the same thing. */
export interface StoredMemory {
  readonly memory: Memory;
  /** Of whom and what it says something: `user|residence`. */
  readonly slot?: string;
  /** Its words in their one form: the same for every wording of it. */
  readonly fingerprint: string;
}

/** What search holds of a memory or a turn. Packed: the store does not look into it. */
export interface SearchEntry {
  /** The memory's or the turn's. */
  readonly id: string;
  readonly entry: Uint8Array;
  /** What the vector was made with; neither is there where it could not be made. */
  readonly embedder?: string;
  readonly vector?: Uint8Array;
}

export interface StoredSearchEntry extends SearchEntry {
  /** The revision that wrote it. */
  readonly revision: number;
}

/** A memory, a contradiction or a turn that something was done to. */
export interface JournalChange {
  readonly kind: "memory" | "contradiction" | "turn";
  readonly id: string;
  /** As it was; nothing where it was not there. */
  readonly before?: Memory | Contradiction | Turn;
  /** What became of it, as a digest: undoing asks whether it is still so. */
  readonly after: string;
}

/** Something that was done to memories. It can be undone. */
export interface JournalEntry {
  readonly id: string;
  readonly at: number;
  /** What was done: `remember`, `update`, `forget`, `resolve`, `consolidate`, `import`, `undo`. */
  readonly action: string;
  readonly changes: readonly JournalChange[];
  /** The entry that this one undoes. */
  readonly undoes?: string;
}

/**
 * What is written in one transaction. What is there already under an id is replaced, journal entries excepted. How often a
 * memory was used stays as it is there: only a new one gets the counts that it comes with.
 */
export interface MemoryCommit {
  /** The revision that this builds on. */
  readonly revision: number;
  readonly memories?: readonly StoredMemory[];
  readonly turns?: readonly Turn[];
  readonly entries?: readonly SearchEntry[];
  readonly contradictions?: readonly Contradiction[];
  readonly journal?: readonly JournalEntry[];
  /** What the caller is told of the commit. Not stored; for those who wrap a store. */
  readonly result?: unknown;
}

/** Which memories of a space. */
export interface MemoryFilter {
  /** Only those that still hold, which have no end, and are not put away. */
  readonly current?: boolean;
  /** Only facts of the chat: those that have a category. */
  readonly categorised?: boolean;
  /** Only those that came from this session. */
  readonly sessionId?: string;
  /** Only those of this slot. */
  readonly slot?: string;
  /** In the order of their ids, behind this one. */
  readonly after?: string;
  readonly limit?: number;
}

/** A verdict of a model on two memories. */
export interface StoredJudgement {
  readonly key: string;
  readonly memoryIds: readonly string[];
  readonly contradicts: boolean;
}

export type MemoryUse = "retrieved" | "cited" | "ignored";

/** What is to be erased. */
export interface Erasure {
  readonly memories: readonly string[];
  readonly turns: readonly string[];
  /** What is written in the same transaction, when all of that is gone: what is left of some of it, for example. */
  readonly write?: MemoryCommit;
}

/** What was erased. A memory that is written again at once is not counted. */
export interface ErasureReport {
  readonly memories: number;
  readonly turns: number;
  readonly contradictions: number;
  readonly journalChanges: number;
  readonly judgements: number;
}

/** Keeps memories, the turns that they rest on, and what was done to them. */
export interface MemoryStore {
  head(space: string): Promise<SpaceHead>;
  /**
   * Writes all of it and counts the revision up, or nothing: `false` where somebody else committed since. Of two with one
   * id the last counts.
   *
   * @throws StoreError `duplicate-id` where a journal entry of that id is there.
   */
  commit(space: string, commit: MemoryCommit): Promise<boolean>;

  /** Memories by id, in the order of `ids`; those that are not there are left out. */
  memories(space: string, ids: readonly string[]): Promise<readonly Memory[]>;
  list(space: string, filter?: MemoryFilter): Promise<readonly Memory[]>;
  /** Memories that hold and are not put away, of one of these slots or with this fingerprint, in the order of their ids. */
  related(space: string, slots: readonly string[], fingerprint: string): Promise<readonly Memory[]>;
  /**
   * Counts a use of each and when it was last used, without a new revision: nobody has to do anything again because of
   * it.
   */
  countUse(space: string, ids: readonly string[], use: MemoryUse, at: number): Promise<void>;

  /** Turns by id, in the order of `ids`; those that are not there are left out. */
  turns(space: string, ids: readonly string[]): Promise<readonly Turn[]>;
  /** A session's turns by position, from `from` on, at most `limit`. */
  turnsOf(space: string, sessionId: string, from?: number, limit?: number): Promise<readonly Turn[]>;
  countTurns(space: string, sessionId: string): Promise<number>;

  /** What search holds, in the order in which it was written, behind a revision and an id. */
  entries(
    space: string,
    after: { readonly revision: number; readonly id?: string },
    limit: number,
  ): Promise<readonly StoredSearchEntry[]>;
  /** What search holds of these memories and turns, in the order of `ids`; those that have no entry are left out. */
  entriesOf(space: string, ids: readonly string[]): Promise<readonly SearchEntry[]>;
  /** Entries without a vector of this embedder, by id, behind `after`. */
  entriesWithout(space: string, embedder: string, after: string, limit: number): Promise<readonly SearchEntry[]>;

  /** Contradictions in the order in which they were found: all of them, those of a status, or those of these memories. */
  contradictions(
    space: string,
    filter?: {
      readonly status?: "open" | "resolved";
      readonly ids?: readonly string[];
      readonly of?: readonly string[];
    },
  ): Promise<readonly Contradiction[]>;
  /** The journal, the newest first: the last so many entries, or those of these ids. */
  journal(
    space: string,
    filter: { readonly limit: number } | { readonly ids: readonly string[] },
  ): Promise<readonly JournalEntry[]>;

  judgement(space: string, key: string): Promise<boolean | undefined>;
  keepJudgement(space: string, judgement: StoredJudgement): Promise<void>;

  /**
   * Erases memories and turns with all that is known of them: search entries, contradictions, judgements, what the
   * journal says of them, and what other memories say of them, in the journal too (`links`, `supersedes`,
   * `supersededBy`). What the journal says of another turn goes where one of these had outdated it. An entry of the
   * journal goes where nothing is left of it. Revision and epoch count up, each by one.
   *
   * With `write`, all of it happens or nothing: `undefined` where that builds on another revision. What is in it is
   * written as it is, whatever is erased.
   *
   * @throws StoreError `duplicate-id` where a journal entry of `write` is there.
   */
  erase(space: string, erasure: Erasure): Promise<ErasureReport | undefined>;
  /** Takes the lease on a piece of work for so long, or renews it; `false` where another holder has it. */
  acquire(space: string, work: string, holder: string, milliseconds: number): Promise<boolean>;
  /** Gives the lease back; without effect where another holder has it. */
  release(space: string, work: string, holder: string): Promise<void>;
  /** The names of all spaces that something was committed to, in order, behind `after`. */
  spaces(page?: { readonly after?: string; readonly limit?: number }): Promise<readonly string[]>;
}
