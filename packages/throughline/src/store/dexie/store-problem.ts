import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { StoreError, type StoreProblem } from "../../errors/store-error.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";

/** What a person is told, and what they can do. */
type Words = readonly [problem: StoreProblem, message: string, hint: string];

const NO_STORAGE: Words = [
  "unavailable",
  "This browser does not let the page store data.",
  "Allow this site to store data, or use a window that is not private; until then nothing is kept.",
];

const BROKEN_OFF: Words = [
  "unavailable",
  "The browser broke off while it stored data; nothing of it was written.",
  "Try again; what was stored before is intact.",
];

const WORDS: Readonly<Record<string, Words>> = {
  QuotaExceededError: [
    "full",
    "This browser has no room left to store data; nothing of it was written.",
    "Delete what is no longer needed or make room on this device; what was stored before is intact.",
  ],
  ConstraintError: [
    "duplicate-id",
    "An id is taken already.",
    "Give each an id of its own; what was stored before is intact.",
  ],
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
    "A part of the stored data is missing.",
    "Clear this site's data in the browser's settings to begin anew; nothing was written to it.",
  ],
};

/** What the browser refuses to keep. */
const NO_DATA = ["DataCloneError", "DataError"];

export function noStorage(cause?: unknown): StoreError {
  return toError(NO_STORAGE, cause);
}

/** The data is in a form that this code does not know. */
export function newerVersion(): StoreError {
  return new StoreError("newer-version", "The stored data was written by a newer version of this page.", {
    hint: "Reload the page to get that version; nothing was changed.",
  });
}

/** Another tab has brought the data into a newer form while this one was open. */
export function outdatedTab(): StoreError {
  return new StoreError("newer-version", "Another tab has updated the stored data.", {
    hint: "Reload this page to go on; what was stored is intact.",
  });
}

/** Another tab keeps this one from bringing the data into a newer form. */
export function blockedByTab(): StoreError {
  return new StoreError("busy", "Another tab has the stored data open in an older version.", {
    hint: "Close the other tabs of this page, or reload them, and try again.",
  });
}

/** An error of Dexie or of the browser as one of ours; what else was thrown stays as it is. */
export function toStoreError(error: unknown): unknown {
  if (ThroughlineError.isInstance(error)) return error;
  const names = [...causesOf(error)].map(({ name }) => name);
  if (names.some((name) => NO_DATA.includes(name))) {
    return new InvalidOptionError(
      "Something to store",
      "not plain data",
      "plain data, and ids and numbers that are some",
    );
  }
  // The innermost knows best: that something was broken off says less than why.
  const name = names.findLast((one) => Object.hasOwn(WORDS, one));
  const words = name === undefined ? undefined : WORDS[name];
  return words === undefined ? error : toError(words, error);
}

/** It was refused before anything was done: the connection is gone, and a new one may be had. */
export function isClosedConnection(error: unknown): boolean {
  return error instanceof Error && error.name === "DatabaseClosedError";
}

function toError([problem, message, hint]: Words, cause: unknown): StoreError {
  return new StoreError(problem, message, { hint, cause });
}

/** The error, what caused it, and what caused that. */
function* causesOf(error: unknown): Generator<{ readonly name: string }> {
  // An error of the browser's is none of the language's, in some of them.
  if (typeof error !== "object" || error === null || !("name" in error)) return;
  yield error as { readonly name: string };
  const { inner, failures } = error as { readonly inner?: unknown; readonly failures?: readonly unknown[] };
  if (failures?.[0] !== undefined) yield* causesOf(failures[0]);
  if (inner !== undefined) yield* causesOf(inner);
}
