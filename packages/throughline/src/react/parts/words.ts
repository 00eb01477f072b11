/** "1 memory", "12 memories". */
export function countMemories(count: number): string {
  return count === 1 ? "1 memory" : `${count.toLocaleString("en")} memories`;
}

/** Text of an error for the user. */
export function explainProblem(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
