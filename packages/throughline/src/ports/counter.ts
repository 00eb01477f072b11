/** Counts the tokens of a text. */
export interface Counter {
  /** Name of the counter. Counts of different counters are not comparable. */
  readonly name: string;
  /** True if the count is the model's own, not an estimate with a margin. */
  readonly exact: boolean;
  /** Factor that the counts include; 1 if they are exact. */
  readonly margin: number;
  count(text: string): number;
  /** Same count; other tasks can run between the pieces of a long text. */
  countYielding?(text: string): Promise<number>;
}
