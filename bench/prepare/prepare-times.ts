/** One method at one size of session. Times in milliseconds. */
export interface Measurement {
  readonly method: string;
  readonly tokens: number;
  /** Giving it the session, where that is a step of its own. */
  readonly load: number;
  readonly first: number;
  /** The median of several: one more message, then again. */
  readonly next: number;
  /** Bytes that it holds beside the messages themselves. */
  readonly memory: number;
  readonly windowTokens: number;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
