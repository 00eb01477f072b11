import { ThroughlineError } from "./throughline-error.ts";

/** What keeps a store from doing its work. Stable: callers may switch on it. */
export type StoreProblem =
  | "busy"
  | "closed"
  | "corrupt"
  | "duplicate-id"
  | "encrypted"
  | "full"
  | "newer-version"
  | "not-encrypted"
  | "not-ours"
  | "read-only"
  | "unavailable"
  | "unsupported"
  | "wrong-key";

const HINTS: Readonly<Record<StoreProblem, string>> = {
  busy: "Others are writing to it; try again in a moment.",
  closed: "Open a new store, or call close() later.",
  corrupt: "Restore a backup; nothing was written to it.",
  "duplicate-id": "Give each message and each part an id of its own, or leave the ids out.",
  encrypted:
    "Give the key that it was made with, as `encryptionKey` or in THROUGHLINE_ENCRYPTION_KEY; nothing was written to it.",
  full: "Make room on the disk and try again; what was stored before is intact.",
  "newer-version": "Update Throughline; nothing was written to it.",
  "not-encrypted":
    "Open it without a key, or encrypt it first: `throughline encrypt`, or encryptSqlite(); nothing was written to it.",
  "not-ours": "Give the path of another file; nothing was written to this one.",
  "read-only": "Allow writing to the file and to its folder, or give another path.",
  unavailable: "Check that the database runs and that the connection string is right.",
  unsupported: "Use Node 22.13 or later.",
  "wrong-key": "Give the key that it was encrypted with: without it nobody can read it. Nothing was written to it.",
};

/** A store could not do what was asked; what was there before is untouched. */
export class StoreError extends ThroughlineError {
  readonly problem: StoreProblem;

  /** `hint` says what to do next, where it is something else than with most stores. */
  constructor(problem: StoreProblem, message: string, options?: { cause?: unknown; hint?: string }) {
    super("store", message, options?.hint ?? HINTS[problem], options);
    this.problem = problem;
  }
}
