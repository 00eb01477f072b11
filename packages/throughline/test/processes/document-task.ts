import { noise } from "../../src/test/samples.ts";

/** Task of a process that writes documents. */
export interface DocumentTask {
  /** A path of a SQLite file, or the URL of a PostgreSQL database. */
  readonly store: string;
}

/** The revision that it wrote. */
export interface DocumentWord {
  readonly revision: number;
}

const PADDING = noise(500_000);

/** The value of a document at a revision: large, with the revision at both ends. */
export function documentOf(revision: number): unknown {
  const files = Array.from({ length: 2_000 }, (_, n) => ({ path: `src/${n}.ts`, revision }));
  return { first: revision, padding: PADDING, files, last: revision };
}
