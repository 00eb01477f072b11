/** Counts the tokens of a text. */
export interface Counter {
  /** Name of the counter. Counts of different counters are not comparable. */
  readonly name: string;
  /** True if the count is the model's own, not an estimate with a margin. */
  readonly exact: boolean;
  /** Factor that the counts include; 1 if they are exact. */
  readonly margin: number;
  /**
   * Returns the number of tokens.
   *
   * @param text Text to count; may be empty.
   */
  count(text: string): number;
  /**
   * Same count, with pauses in which other tasks can run. Optional.
   *
   * @param text Text to count; may be long.
   */
  countYielding?(text: string): Promise<number>;
}
