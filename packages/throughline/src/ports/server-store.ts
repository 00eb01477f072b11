export type TokenScope = "read" | "write" | "admin";

/** A token as it is kept: whoever reads it cannot use it. */
export interface StoredToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, as hex. */
  readonly hash: string;
  readonly userId: string;
  /** Ids of projects that it may speak for; `*` is all of them. */
  readonly projects: readonly string[];
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

export interface TokenStore {
  /** @throws StoreError `duplicate-id` where one of that id is there. */
  add(token: StoredToken): Promise<void>;
  find(id: string): Promise<StoredToken | undefined>;
  /** All of them, a user's, or those of these ids, the oldest first. */
  list(filter?: { readonly userId?: string; readonly ids?: readonly string[] }): Promise<readonly StoredToken[]>;
  /** `false` where there is none of that id that is not revoked already. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Notes that it was used. */
  touch(id: string, at: number): Promise<void>;
}

export type JobState = "waiting" | "running" | "done" | "dead";

export interface NewJob {
  readonly kind: string;
  readonly owner: string;
  readonly projectId?: string;
  /** Of one key at most one job waits or runs, whoever owns it. */
  readonly key: string;
  /** Plain data without content: ids and numbers. */
  readonly payload?: unknown;
  /** Not before then, in milliseconds since 1970 by the store's clock; at once, where nothing is said. */
  readonly runAt?: number;
  /** 5, where nothing is said. */
  readonly maxAttempts?: number;
}

export interface StoredJob extends NewJob {
  readonly id: string;
  readonly state: JobState;
  /** How often it was begun. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly finishedAt?: number;
  readonly holder?: string;
  readonly leaseUntil?: number;
  readonly lastError?: string;
}

export interface JobFilter {
  readonly owner?: string;
  /** Only jobs of these projects, and those of none. */
  readonly projectIds?: readonly string[];
  readonly state?: JobState;
  readonly kind?: string;
  /** In the order in which they were made, behind this one. */
  readonly after?: string;
  readonly limit?: number;
}

/** What went wrong. It is stored until the job is swept, so it must not contain user content. */
export interface JobFailure {
  readonly error: string;
  /** Milliseconds until the next attempt. Without it, the job is not tried again. */
  readonly retryAfter?: number;
}

/**
 * How a leased job ended. `done`: it succeeded. `released`: it was not started, or was interrupted by a shutdown; it
 * waits again and the attempt does not count. A failure: it waits again for `retryAfter`, or is dead if it has no
 * attempt left or no `retryAfter`.
 */
type JobOutcome = "done" | "released" | JobFailure;

/** Jobs that are done once, by any server that uses the store. Times are those of the store's clock. */
export interface JobQueue {
  /** Adds a job; `undefined` if a job with the same key is waiting or running. */
  add(job: NewJob): Promise<StoredJob | undefined>;
  /**
   * Leases the job that has been due for the longest time: a waiting one, or a running one whose lease has expired. If an
   * expired one has no attempt left, it is marked dead and the next one is taken. Of several servers exactly one gets it.
   */
  lease(holder: string, milliseconds: number, kinds?: readonly string[]): Promise<StoredJob | undefined>;
  /** Extends a lease; `false` if another holder has the job by now. */
  renew(id: string, holder: string, milliseconds: number): Promise<boolean>;
  /** Ends a lease, by default with `done`; `false` if another holder has the job by now: then nothing changes. */
  finish(id: string, holder: string, outcome?: JobOutcome): Promise<boolean>;
  list(filter?: JobFilter): Promise<readonly StoredJob[]>;
  /** The number of jobs in each state. */
  counts(filter?: Pick<JobFilter, "owner" | "projectIds">): Promise<Readonly<Record<JobState, number>>>;
  /** Makes a dead job wait again with all its attempts; `false` if it is not dead, or another job with its key is alive. */
  revive(id: string): Promise<boolean>;
  /** Deletes jobs that were done or died before a time; resolves to how many. */
  sweep(before: number): Promise<number>;
}

export interface StoredEvent {
  /** Grows with every event of a store; there may be gaps. */
  readonly sequence: number;
  readonly owner: string;
  readonly projectId?: string;
  readonly sessionId?: string;
  readonly type: string;
  readonly at: number;
  /** Plain data without content: ids and numbers. */
  readonly data: unknown;
}

export type NewEvent = Omit<StoredEvent, "sequence" | "at">;

export interface EventFilter {
  /** Everybody's events, if not given. */
  readonly owner?: string;
  readonly sessionId?: string;
  /** Only those behind this one. */
  readonly after: number;
  readonly limit?: number;
}

/** What happened, for those who listen and those who come back. A reader who goes on behind the last one misses none. */
export interface EventLog {
  append(events: readonly NewEvent[]): Promise<void>;
  read(filter: EventFilter): Promise<readonly StoredEvent[]>;
  /** The newest sequence, 0 where there is none. */
  last(): Promise<number>;
  /** Erases those from before then; how many. */
  sweep(before: number): Promise<number>;
}

/** The answer that a write got, kept so that the same request gets it again. */
export interface StoredAnswer {
  /** SHA-256 of what was asked, as hex: the same key with another request is refused. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Which answers are erased. */
export interface AnswerFilter {
  /** Everybody's, where nobody is named: for what many could read. */
  readonly owner?: string;
  /** The request that purges may keep its own answer, which says nothing of what went. */
  readonly except?: { readonly owner: string; readonly key: string };
}

/** A key whose earlier holder wrote something and stored no answer. The key is now the caller's. */
export interface InterruptedRequest {
  /** SHA-256 of the earlier request, as hex. */
  readonly request: string;
  /** What the committed writes noted, in order; `undefined` if a purge erased the notes. */
  readonly notes: readonly unknown[] | undefined;
}

/** Who holds a key, and for which request. */
export interface AnswerClaim {
  readonly owner: string;
  readonly key: string;
  readonly request: string;
  readonly holder: string;
}

/** Answers by the key that a client gave its request. */
export interface AnswerStore {
  /**
   * Takes the key for so long, until `save` or `release`: `taken` where it is now the caller's, `busy` where somebody else
   * is at it, or the answer that was kept. Who names itself as `holder` may claim again, to have it for longer; what it
   * keeps or releases after its time is over and another has the key is then passed over. If an earlier holder committed
   * writes with `noting` and did not get to its answer, the new holder gets their notes.
   */
  claim(
    owner: string,
    key: string,
    request: string,
    milliseconds: number,
    holder?: string,
  ): Promise<"taken" | "busy" | StoredAnswer | InterruptedRequest>;
  /**
   * Runs `write` so that each of its transactions also stores a note with the claimed key: both are committed, or
   * neither. `note` makes the note from the transaction's result; `undefined` adds none.
   *
   * @throws StoreError `unavailable` if another holder took the key over. Then the transaction is rolled back.
   */
  noting<T>(claim: AnswerClaim, note: (result: unknown) => unknown, write: () => Promise<T>): Promise<T>;
  /** Stores the answer. No effect if the key is not claimed or already has an answer: the first one stands. */
  save(owner: string, key: string, answer: StoredAnswer, holder?: string): Promise<void>;
  /** Without effect where an answer is kept. A key with notes becomes free and keeps its notes. */
  release(owner: string, key: string, holder?: string): Promise<void>;
  /** Forgets those from before then, as is done every day; how many. */
  sweep(before: number): Promise<number>;
  /**
   * Erases for good what was answered, and what those are answered who are at it right now is not kept either; how many
   * answers went. For a purge, once the data itself is gone: an answer may say again what was purged.
   */
  erase(filter?: AnswerFilter): Promise<number>;
}

/** What a database stores for servers, in addition to sessions and memories. All servers on one store share it. */
export interface ServerStore {
  readonly tokens: TokenStore;
  readonly jobs: JobQueue;
  readonly events: EventLog;
  readonly answers: AnswerStore;
}
