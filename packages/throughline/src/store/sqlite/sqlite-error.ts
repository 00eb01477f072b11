import { StoreError, type StoreProblem } from "../../errors/store-errors.ts";
import { messageOf } from "../../internal/text.ts";

const PROBLEMS: Readonly<Record<number, StoreProblem>> = {
  5: "busy",
  6: "busy",
  8: "read-only",
  10: "unavailable",
  11: "corrupt",
  13: "full",
  14: "read-only",
  // Too many readers start at the same time.
  15: "busy",
  26: "not-ours",
};

/** The shared memory file could not grow because the disk is full. */
const IOERR_SHMSIZE = 4874;

/** Converts SQLite errors; other errors are returned unchanged. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  // The low byte is the primary code.
  const problem = code === IOERR_SHMSIZE ? "full" : PROBLEMS[code & 0xff];
  if (problem === undefined) return error;
  return new StoreError(problem, `SQLite error on ${path}: ${messageOf(error)}.`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return error instanceof StoreError && error.problem === "busy";
}

function codeOf(error: unknown): number | undefined {
  const isOfSqlite = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  return isOfSqlite ? (error.errcode as number) : undefined;
}

/** Error code of the operating system: `ENOENT`, `EACCES`, … */
export function fileErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

const FIRST_PAUSE = 2;
const MAX_PAUSE = 200;
const GROWTH = 1.6;

/** Retries while another connection holds the lock, for a number of milliseconds, with growing, jittered pauses. */
export async function retryWhileBusy<T>(attempt: () => Promise<T>, timeout: number): Promise<T> {
  const deadline = performance.now() + timeout;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * GROWTH, MAX_PAUSE)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    const jittered = pause * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, jittered));
  }
}
