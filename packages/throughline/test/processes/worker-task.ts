/** Task of a worker. */
export interface WorkerTask {
  readonly name: string;
  /** A path of a SQLite file, or the URL of a PostgreSQL database. */
  readonly store: string;
  readonly sessions: readonly string[];
  /** Number of messages that the worker appends to each session. */
  readonly messages: number;
  /** After how many it compacts. */
  readonly compactEach: number;
  /** For how long the lease of a worker that is gone keeps others from compacting. */
  readonly lockTime: number;
}

/** Reports of a worker, one per line. */
export type WorkerWord =
  /** The worker runs, and opens the store now. */
  | { readonly kind: "ready" }
  | { readonly kind: "appended"; readonly session: string; readonly text: string }
  | { readonly kind: "compacted"; readonly session: string; readonly event: string }
  | { readonly kind: "start" | "end"; readonly session: string; readonly at: number };
