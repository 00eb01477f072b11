/** Receives messages about the work of a session or of memory. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}

/** Drops all messages. */
export const QUIET: Logger = { info: () => undefined, warn: () => undefined };
