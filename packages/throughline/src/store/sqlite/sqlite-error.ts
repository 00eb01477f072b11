import { StoreError, type StoreProblem } from "../../errors/store-error.ts";

const PROBLEMS: Readonly<Record<number, StoreProblem>> = {
  5: "busy",
  6: "busy",
  8: "read-only",
  10: "unavailable",
  11: "corrupt",
  13: "full",
  14: "read-only",
  // Too many begin to read at the same moment.
  15: "busy",
  26: "not-ours",
};

/** The shared memory beside the file could not grow, for want of room. */
const IOERR_SHMSIZE = 4874;

/** An error of SQLite as one of ours; what else was thrown stays as it is. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  // The low byte is the kind, the rest says more.
  const problem = code === IOERR_SHMSIZE ? "full" : PROBLEMS[code & 0xff];
  if (problem === undefined) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(problem, `SQLite says of ${path}: ${reason}.`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return error instanceof StoreError && error.problem === "busy";
}

function codeOf(error: unknown): number | undefined {
  const isOfSqlite = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  return isOfSqlite ? (error.errcode as number) : undefined;
}
