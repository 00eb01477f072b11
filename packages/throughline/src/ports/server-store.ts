export type TokenScope = "read" | "write" | "admin";

/** A stored access token. Only a hash of its secret is stored, so a leaked record cannot be used to sign in. */
export interface StoredToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, as hex. */
  readonly hash: string;
  readonly userId: string;
  /** Ids of the projects that the token gives access to; `*` for all. */
  readonly projects: readonly string[];
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

export interface TokenStore {
  /** @throws StoreError `duplicate-id` if the id is taken. */
  add(token: StoredToken): Promise<void>;
  find(id: string): Promise<StoredToken | undefined>;
  /** Lists tokens, oldest first: all, those of a user, or those with the given ids. */
  list(filter?: { readonly userId?: string; readonly ids?: readonly string[] }): Promise<readonly StoredToken[]>;
  /** Revokes a token; `false` if it does not exist or is already revoked. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Sets the time of the last use. */
  touch(id: string, at: number): Promise<void>;
}

export type JobState = "waiting" | "running" | "done" | "dead";

export interface NewJob {
  readonly kind: string;
  readonly owner: string;
  readonly projectId?: string;
  /** Deduplication key: at most one job per key is waiting or running, across all owners. */
  readonly key: string;
  /** Plain data without user content: ids and numbers. */
  readonly payload?: unknown;
  /** Earliest start, in milliseconds since 1970 by the store's clock. Default: now. */
  readonly runAt?: number;
  /** Default: 5. */
  readonly maxAttempts?: number;
}

export interface StoredJob extends NewJob {
  readonly id: string;
  readonly state: JobState;
  /** Number of started attempts. */
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
  /** Only jobs of these projects, and jobs without a project. */
  readonly projectIds?: readonly string[];
  readonly state?: JobState;
  readonly kind?: string;
  /** Only jobs created after the job with this id. */
  readonly after?: string;
  readonly limit?: number;
}

/** A failed attempt. The error is stored until the job is swept, so it must not contain user content. */
export interface JobFailure {
  readonly error: string;
  /** Milliseconds until the next attempt. Without it, the job is not tried again. */
  readonly retryAfter?: number;
}

/**
 * Outcome of a leased job. `done`: the job succeeded. `released`: the job was not started, or a shutdown interrupted
 * it; the job waits again and the attempt does not count. `JobFailure`: the job waits for `retryAfter`, or is dead if
 * no attempt is left or `retryAfter` is missing.
 */
type JobOutcome = "done" | "released" | JobFailure;

/** A job queue shared by all servers on one store. All times come from the store's clock. */
export interface JobQueue {
  /** Adds a job; `undefined` if a job with the same key is waiting or running. */
  add(job: NewJob): Promise<StoredJob | undefined>;
  /**
   * Leases the job that has been due for the longest time: a waiting job, or a running one whose lease has expired. An
   * expired job without an attempt left is marked dead and skipped. Exactly one of several servers gets a job.
   */
  lease(holder: string, milliseconds: number, kinds?: readonly string[]): Promise<StoredJob | undefined>;
  /** Extends a lease; `false` if another holder has the job by now. */
  renew(id: string, holder: string, milliseconds: number): Promise<boolean>;
  /** Ends a lease, by default with `done`; `false` if another holder has the job by now: then nothing changes. */
  finish(id: string, holder: string, outcome?: JobOutcome): Promise<boolean>;
  list(filter?: JobFilter): Promise<readonly StoredJob[]>;
  /** Number of jobs in each state. */
  counts(filter?: Pick<JobFilter, "owner" | "projectIds">): Promise<Readonly<Record<JobState, number>>>;
  /** Requeues a dead job with all its attempts; `false` if it is not dead, or its key is waiting or running. */
  revive(id: string): Promise<boolean>;
  /** Deletes jobs that finished (done or dead) before a time. Resolves to their number. */
  sweep(before: number): Promise<number>;
}

export interface StoredEvent {
  /** Increases with every event of the owner; gaps are possible. */
  readonly sequence: number;
  readonly owner: string;
  readonly projectId?: string;
  readonly sessionId?: string;
  readonly type: string;
  readonly at: number;
  /** Plain data without user content: ids and numbers. */
  readonly data: unknown;
}

export type NewEvent = Omit<StoredEvent, "sequence" | "at">;

export interface EventFilter {
  readonly owner: string;
  readonly sessionId?: string;
  /** Only events with a greater sequence. */
  readonly after: number;
  readonly limit?: number;
}

/** Event log for live and reconnecting clients. A client that resumes after its last sequence misses no event. */
export interface EventLog {
  append(events: readonly NewEvent[]): Promise<void>;
  /**
   * Runs a write to the same store and appends events in its transaction.
   *
   * @param events Events to append.
   * @param write The write. If it resolves to `false`, it changed nothing, and no event is appended.
   */
  appendWith<T>(events: readonly NewEvent[], write: () => Promise<T>): Promise<T>;
  read(filter: EventFilter): Promise<readonly StoredEvent[]>;
  /** Sequence of the newest event of each owner. Owners without an event are left out. */
  last(owners: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Deletes events from before a time. Resolves to their number. */
  sweep(before: number): Promise<number>;
}

/** Stored response to a write request. A retry with the same idempotency key gets the same response. */
export interface StoredAnswer {
  /** SHA-256 of the request, as hex. Reusing the key for another request is refused. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Selects answers to erase. */
export interface AnswerFilter {
  /** Default: answers of all owners, for purged data that several users could read. */
  readonly owner?: string;
  /** Key of the purge request itself, whose answer contains no purged data and is kept. */
  readonly except?: { readonly owner: string; readonly key: string };
}

/** A key whose previous holder committed writes but stored no answer. The caller now holds the key. */
export interface InterruptedRequest {
  /** SHA-256 of the earlier request, as hex. */
  readonly request: string;
  /** Notes of the committed writes, in order; `undefined` if a purge erased them. */
  readonly notes: readonly unknown[] | undefined;
}

/** A claimed key, with its holder and its request. */
export interface AnswerClaim {
  readonly owner: string;
  readonly key: string;
  readonly request: string;
  readonly holder: string;
}

/** Stored answers by idempotency key. */
export interface AnswerStore {
  /**
   * Claims a key for `milliseconds`, or until `save` or `release`. Resolves to `taken` if the caller now holds the key,
   * `busy` if another holder has it, or the stored answer. A caller that passes `holder` may claim again to extend the
   * claim; its `save` and `release` have no effect after another holder has taken over an expired claim. If a previous
   * holder committed writes with `noting` but stored no answer, the new holder gets their notes.
   */
  claim(
    owner: string,
    key: string,
    request: string,
    milliseconds: number,
    holder?: string,
  ): Promise<"taken" | "busy" | StoredAnswer | InterruptedRequest>;
  /**
   * Runs `write` so that each of its transactions also stores a note with the claimed key, atomically. `note` makes the
   * note from the transaction's result; `undefined` adds none.
   *
   * @throws StoreError `unavailable` if another holder has taken over the key. Then the transaction is rolled back.
   */
  noting<T>(claim: AnswerClaim, note: (result: unknown) => unknown, write: () => Promise<T>): Promise<T>;
  /** Stores the answer. Has no effect if the key is not claimed or already has an answer. */
  save(owner: string, key: string, answer: StoredAnswer, holder?: string): Promise<void>;
  /** Frees a claimed key; its notes are kept. Has no effect if the key has an answer. */
  release(owner: string, key: string, holder?: string): Promise<void>;
  /** Deletes answers from before a time; active claims are kept. Resolves to the number of deleted keys. */
  sweep(before: number): Promise<number>;
  /**
   * Erases answers permanently, and discards the answers of requests that are still running. Resolves to the number of
   * erased answers. Call it after a purge has erased the data, because answers may repeat purged content.
   */
  erase(filter?: AnswerFilter): Promise<number>;
}

/** Server data of a database, in addition to sessions and memories. Shared by all servers on one store. */
export interface ServerStore {
  readonly tokens: TokenStore;
  readonly jobs: JobQueue;
  readonly events: EventLog;
  readonly answers: AnswerStore;
}
