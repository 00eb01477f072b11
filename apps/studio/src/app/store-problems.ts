import { StoreError, type StoreProblem } from "throughline";
import { messageOf } from "throughline/internal/util";

export function hasProblem(error: unknown, ...problems: readonly StoreProblem[]): boolean {
  return error instanceof StoreError && problems.includes(error.problem);
}

/** The message of an error for a person. */
export function wordsOf(error: unknown): string {
  return messageOf(error);
}
