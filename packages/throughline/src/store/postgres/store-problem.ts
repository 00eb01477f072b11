import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { StoreError, type StoreProblem } from "../../errors/store-error.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";
import { ConnectionLost } from "./connections.ts";

/** What PostgreSQL's codes say of a store, by the whole code or by its class. */
const PROBLEMS: Readonly<Record<string, readonly [problem: StoreProblem, message: string]>> = {
  "23505": ["duplicate-id", "An id is taken already."],
  "25006": ["read-only", "The database takes no writes."],
  "3D000": ["unavailable", "There is no such database."],
  "3F000": ["corrupt", "A schema is missing."],
  "40001": ["busy", "Others kept changing the same rows."],
  "40P01": ["busy", "Others kept changing the same rows."],
  "42501": ["read-only", "The database's user may not do this."],
  "42703": ["corrupt", "A column is missing."],
  "42P01": ["corrupt", "A table is missing."],
  "53100": ["full", "The database's disk is full."],
  "53300": ["busy", "The database has no connection left."],
  "55P03": ["busy", "Others hold a lock for too long."],
  "57014": ["unavailable", "A statement took longer than it may."],
  "28": ["unavailable", "The database does not let us in."],
  XX001: ["corrupt", "The database's files are damaged."],
  XX002: ["corrupt", "The database's files are damaged."],
};

// An index takes a third of a page, and a column a gigabyte.
const LONGEST =
  "about 2,600 bytes for an owner or a space, a session's id and another id together, and less than 1 GB for a part";
const CONFLICTS = ["40001", "40P01"];
// The server ends the connection, is full, or is not there yet: it may be otherwise in a moment.
const PASSING = ["25P03", "53300", "57P01", "57P02", "57P03", "57P05"];

/** Nothing was kept, and the same may work in a moment. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = codeOf(error);
  return code !== undefined && (CONFLICTS.includes(code) || PASSING.includes(code) || code.startsWith("08"));
}

/**
 * The error as callers get it. Neither its message nor its cause holds the connection string: PostgreSQL's errors do not
 * know it, and those of a socket know the address alone.
 */
export function toStoreError(error: unknown): unknown {
  if (ThroughlineError.isInstance(error)) return error;
  if (error instanceof ConnectionLost) {
    return new StoreError("unavailable", `The database cannot be reached${because(error.cause)}.`, {
      cause: error.cause,
    });
  }
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === "54000") return new InvalidOptionError("An id or a part", "too long for PostgreSQL", LONGEST);
  const [problem, message] = PROBLEMS[code] ?? PROBLEMS[code.slice(0, 2)] ?? ["unavailable", "The database refused."];
  return new StoreError(problem, `${message} (PostgreSQL ${code}${because(error)})`, { cause: error });
}

export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error);
  }
}

function because(error: unknown): string {
  // Node tries each address of a name and tells of all at once.
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
}

/** PostgreSQL's own code of five signs. Each has a digit, which the codes of Node have not. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
