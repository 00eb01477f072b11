/**
 * Receives log messages of sessions and memory.
 *
 * @example
 * const tl = await createThroughline({ logger: { info: () => undefined, warn: console.warn } });
 */
export interface Logger {
  /**
   * Called for normal events, such as a finished compaction.
   *
   * @param message One sentence.
   */
  info(message: string): void;
  /**
   * Called if something failed or was left out and the work goes on.
   *
   * @param message One sentence.
   */
  warn(message: string): void;
}

/** Logger without output. */
export const QUIET: Logger = { info: () => undefined, warn: () => undefined };
