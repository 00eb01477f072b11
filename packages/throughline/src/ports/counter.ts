/** Counts the tokens of a text. */
export interface Counter {
  /** Names what is counted with: counts of two counters do not add up. */
  readonly name: string;
  /** Whether the count is the model's own, and not an estimate with a margin. */
  readonly exact: boolean;
  /** What its counts are multiplied by: 1 where they are exact. */
  readonly margin: number;
  count(text: string): number;
  /** The same count; other tasks get the thread between the pieces of a long text. */
  countYielding?(text: string): Promise<number>;
}
