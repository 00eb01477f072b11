import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError, type StoreProblem } from "../../errors/store-errors.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";

/** Message for the user, and what to do. */
type Words = readonly [problem: StoreProblem, message: string, hint: string];

const NO_STORAGE: Words = [
  "unavailable",
  "This browser does not allow the page to store data.",
  "Allow this site to store data, or use a window that is not private. Until then nothing is saved.",
];

const BROKEN_OFF: Words = [
  "unavailable",
  "The browser aborted a write; nothing was written.",
  "Retry. Stored data is intact.",
];

const WORDS: Readonly<Record<string, Words>> = {
  QuotaExceededError: [
    "full",
    "This browser has no storage space left; nothing was written.",
    "Delete old data or free space on this device. Stored data is intact.",
  ],
  ConstraintError: ["duplicate-id", "An id already exists.", "Use unique ids. Stored data is intact."],
  MissingAPIError: NO_STORAGE,
  OpenFailedError: NO_STORAGE,
  SecurityError: NO_STORAGE,
  InvalidStateError: NO_STORAGE,
  UnknownError: NO_STORAGE,
  NotAllowedError: NO_STORAGE,
  DatabaseClosedError: BROKEN_OFF,
  TransactionInactiveError: BROKEN_OFF,
  AbortError: BROKEN_OFF,
  NotFoundError: [
    "corrupt",
    "Part of the stored data is missing.",
    "Clear this site's data in the browser settings to start over. Nothing was written.",
  ],
};

/** Errors for values that the browser cannot store. */
const NO_DATA = ["DataCloneError", "DataError"];

export function noStorage(cause?: unknown): StoreError {
  return toError(NO_STORAGE, cause);
}

/** The data was written by a newer version. */
export function newerVersion(): StoreError {
  return new StoreError("newer-version", "The stored data was written by a newer version of this page.", {
    hint: "Reload the page to get that version. Nothing was changed.",
  });
}

/** Another tab migrated the data while this one was open. */
export function outdatedTab(): StoreError {
  return new StoreError("newer-version", "Another tab has updated the stored data.", {
    hint: "Reload this page to continue. Stored data is intact.",
  });
}

/** Another tab blocks the migration. */
export function blockedByTab(): StoreError {
  return new StoreError("busy", "Another tab has the stored data open in an older version.", {
    hint: "Close the other tabs of this page, or reload them, and retry.",
  });
}

/** Converts errors of Dexie and the browser; other errors are returned unchanged. */
export function toStoreError(error: unknown): unknown {
  if (ThroughlineError.isInstance(error)) return error;
  const names = [...causesOf(error)].map(({ name }) => name);
  if (names.some((name) => NO_DATA.includes(name))) {
    return new InvalidOptionError("value to store", "not plain data", "plain data with text ids and finite numbers");
  }
  // The innermost cause is the most specific.
  const name = names.findLast((one) => Object.hasOwn(WORDS, one));
  const words = name === undefined ? undefined : WORDS[name];
  return words === undefined ? error : toError(words, error);
}

/** True if the connection was closed before anything was done, so a retry is safe. */
export function isClosedConnection(error: unknown): boolean {
  return error instanceof Error && error.name === "DatabaseClosedError";
}

function toError([problem, message, hint]: Words, cause: unknown): StoreError {
  return new StoreError(problem, message, { hint, cause });
}

/** The error and its nested causes. */
function* causesOf(error: unknown): Generator<{ readonly name: string }> {
  // Browser errors are not always instances of Error.
  if (typeof error !== "object" || error === null || !("name" in error)) return;
  yield error as { readonly name: string };
  const { inner, failures } = error as { readonly inner?: unknown; readonly failures?: readonly unknown[] };
  if (failures?.[0] !== undefined) yield* causesOf(failures[0]);
  if (inner !== undefined) yield* causesOf(inner);
}
