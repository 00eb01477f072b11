import { ThroughlineError } from "../../errors/throughline-error.ts";

/** "1 memory", "12 memories". */
export function countMemories(count: number): string {
  return count === 1 ? "1 memory" : `${count.toLocaleString("en")} memories`;
}

/** What went wrong, and what to do about it where the error knows. */
export function explainProblem(error: unknown): string {
  if (ThroughlineError.isInstance(error)) return `${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
