/** Receives log messages of sessions and memory. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}

/** Logger without output. */
export const QUIET: Logger = { info: () => undefined, warn: () => undefined };
