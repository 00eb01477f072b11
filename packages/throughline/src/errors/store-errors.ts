import { ThroughlineError } from "./throughline-error.ts";

/** Reason why a store failed. Stable: callers may switch on it. */
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
  busy: "Another process is writing; retry in a moment.",
  closed: "Open a new store, or call close() later.",
  corrupt: "Restore a backup. Nothing was written.",
  "duplicate-id": "Use unique ids for messages and parts, or omit the ids.",
  encrypted: "Pass its key as `encryptionKey` or in THROUGHLINE_ENCRYPTION_KEY. Nothing was written.",
  full: "Free disk space and retry. Stored data is intact.",
  "newer-version": "Update Throughline. Nothing was written.",
  "not-encrypted":
    "Open it without a key, or encrypt it first with `throughline encrypt` or encryptSqlite(). Nothing was written.",
  "not-ours": "Use the path of another file. Nothing was written.",
  "read-only": "Allow writing to the file and its folder, or use another path.",
  unavailable: "Check that the database is running and that the connection string is right.",
  unsupported: "Use Node 22.13 or later.",
  "wrong-key": "Pass the key it was encrypted with; the data cannot be read without it. Nothing was written.",
};

/**
 * A store operation failed. Stored data is unchanged.
 *
 * @example
 * try {
 *   await session.append(history);
 * } catch (error) {
 *   if (error instanceof StoreError && error.problem === "full") console.error(error.hint);
 * }
 */
export class StoreError extends ThroughlineError {
  /** Reason of the failure, to switch on. */
  readonly problem: StoreProblem;

  /** @param options `hint` replaces the default advice for the problem. */
  constructor(problem: StoreProblem, message: string, options?: { cause?: unknown; hint?: string }) {
    super("store", message, options?.hint ?? HINTS[problem], options);
    this.problem = problem;
  }
}

/**
 * The error after too many attempts to write.
 *
 * @param what The failed operation, such as `append to session s1`.
 */
export function lostAttempts(what: string, tries: number): StoreError {
  return new StoreError("busy", `Could not ${what}: ${tries} attempts lost to concurrent writers.`, {
    hint: "Retry, or write from fewer processes.",
  });
}

/**
 * An id or handle is unknown.
 *
 * @example
 * try {
 *   await session.expand("part:s1/m4.0");
 * } catch (error) {
 *   if (error instanceof NotFoundError) console.error(error.message);
 * }
 */
export class NotFoundError extends ThroughlineError {
  constructor(
    item: string,
    scope: "here" | "in this session" | `in session ${string}` = "in this session",
    hint = scope === "here" ? "Check the id." : "Check the id. Handles are listed in the masked outputs and notes.",
  ) {
    super("not-found", scope === "here" ? `${item} was not found.` : `${item} was not found ${scope}.`, hint);
  }
}
