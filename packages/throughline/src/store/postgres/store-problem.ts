import { setTimeout as sleep } from "node:timers/promises";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError, type StoreProblem } from "../../errors/store-errors.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";
import { ConnectionLost } from "./connections.ts";

/** PostgreSQL error codes or classes → problem of the store. */
const PROBLEMS: Readonly<Record<string, readonly [problem: StoreProblem, message: string]>> = {
  "23505": ["duplicate-id", "An id already exists."],
  "25006": ["read-only", "The database is read-only."],
  "3D000": ["unavailable", "The database does not exist."],
  "3F000": ["corrupt", "The schema of the store is missing."],
  "40001": ["busy", "Concurrent writers kept changing the same rows."],
  "40P01": ["busy", "Concurrent writers kept changing the same rows."],
  "42501": ["read-only", "The database user lacks a permission."],
  "42703": ["corrupt", "A column of the store is missing."],
  "42P01": ["corrupt", "A table of the store is missing."],
  "53100": ["full", "The disk of the database is full."],
  "53300": ["busy", "The database has no free connections."],
  "55P03": ["busy", "The database timed out waiting for a lock."],
  "57014": ["unavailable", "A database statement timed out."],
  "28": ["unavailable", "The database rejected the login."],
  XX001: ["corrupt", "The files of the database are damaged."],
  XX002: ["corrupt", "The files of the database are damaged."],
};

// An index entry takes at most a third of a page, a column 1 GB.
const LENGTH_HINT =
  "about 2,600 bytes for an owner or a space, a session's id and another id together, and less than 1 GB for a part";
const CONFLICTS = ["40001", "40P01"];
// The server closes connections, is full, or is starting: temporary.
const PASSING = ["25P03", "53300", "57P01", "57P02", "57P03", "57P05"];

/** True if nothing was committed and a retry may succeed. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = codeOf(error);
  return code !== undefined && (CONFLICTS.includes(code) || PASSING.includes(code) || code.startsWith("08"));
}

/**
 * Converts errors for callers. Neither message nor cause contains the connection string: PostgreSQL errors do not
 * include it, and socket errors only the address.
 */
export function toStoreError(error: unknown): unknown {
  if (ThroughlineError.isInstance(error)) return error;
  if (error instanceof ConnectionLost) {
    return new StoreError("unavailable", `The database is unreachable${causeText(error.cause)}.`, {
      cause: error.cause,
    });
  }
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === "54000") return new InvalidOptionError("id or part", "too long for PostgreSQL", LENGTH_HINT);
  const [problem, message] = PROBLEMS[code] ??
    PROBLEMS[code.slice(0, 2)] ?? ["unavailable", "The database rejected the statement."];
  return new StoreError(problem, `${message} (PostgreSQL ${code}${causeText(error)})`, { cause: error });
}

export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error);
  }
}

function causeText(error: unknown): string {
  // Node tries each address of a host and reports all failures at once.
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
}

/** PostgreSQL's five-character code. Each has a digit; Node's codes have none. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

const FIRST_PAUSE = 20;
const MAX_PAUSE = 2000;

/** Delay before a retry: exponential backoff with jitter. */
export function pauseBefore(attempt: number): number {
  const longest = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  return longest * (0.5 + Math.random() / 2);
}

/** Retries temporary failures for a number of milliseconds. */
export async function retry<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + milliseconds;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = pauseBefore(attempt);
      if (!isPassing(error) || performance.now() + pause > end) throw error;
      await sleep(pause);
    }
  }
}
