/** One method at one session size. Times in milliseconds. */
export interface Measurement {
  readonly method: string;
  readonly tokens: number;
  /** Loading the session, if that is a separate step. */
  readonly load: number;
  readonly first: number;
  /** The median time for one more message. */
  readonly next: number;
  /** Bytes in addition to the messages themselves. */
  readonly memory: number;
  readonly windowTokens: number;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
