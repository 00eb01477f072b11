/** Task of a process that runs jobs. */
export interface JobTask {
  readonly name: string;
  /** A path of a SQLite file, or the URL of a PostgreSQL database. */
  readonly store: string;
  /** For how long a job is its own without a sign of life, in milliseconds. */
  readonly lease: number;
}

/** Its reports, one per line. */
export type JobWord =
  | { readonly kind: "ready" }
  | { readonly kind: "begun"; readonly key: string; readonly attempt: number }
  /** The queue has taken it from it: it was still its own. */
  | { readonly kind: "finished"; readonly key: string };
