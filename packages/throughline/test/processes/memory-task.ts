/** Task of a process that remembers facts. */
export interface MemoryTask {
  readonly name: string;
  /** A path of a SQLite file, or the URL of a PostgreSQL database. */
  readonly store: string;
  readonly facts: number;
  /** Number of facts after which the user moves to another city. */
  readonly moveEach: number;
}

/** Outcome of one fact. */
export interface MemoryWord {
  readonly text: string;
  readonly outcome: "added" | "merged" | "replaced";
  readonly id: string;
}
