/** What a process is told to remember. */
export interface MemoryTask {
  readonly name: string;
  /** A path of a SQLite file, or the URL of a PostgreSQL database. */
  readonly store: string;
  readonly facts: number;
  /** After how many of them somebody moves and says so. */
  readonly moveEach: number;
}

/** What became of something that it told. */
export interface MemoryWord {
  readonly text: string;
  readonly outcome: "added" | "merged" | "replaced";
  readonly id: string;
}
