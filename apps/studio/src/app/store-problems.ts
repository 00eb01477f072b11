import { StoreError, type StoreProblem } from "throughline";

export function hasProblem(error: unknown, ...problems: readonly StoreProblem[]): boolean {
  return error instanceof StoreError && problems.includes(error.problem);
}

/** The message of an error for a person. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
