/**
 * Formats a number of memories in English: "1 memory", "1,200 memories".
 *
 * @param count Number of memories.
 *
 * @example
 * countMemories(12); // "12 memories"
 */
export function countMemories(count: number): string {
  return count === 1 ? "1 memory" : `${count.toLocaleString("en")} memories`;
}

/**
 * Returns the message of an error, to show it to the user.
 *
 * @param error Any value, such as the one that `catch` gives you.
 *
 * @example
 * await book.refresh().catch((error) => console.error(explainProblem(error)));
 */
export function explainProblem(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
