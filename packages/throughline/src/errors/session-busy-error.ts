import { ThroughlineError } from "./throughline-error.ts";

/**
 * Another process is compacting the session, and did not finish within the time that the caller waits.
 *
 * @example
 * try {
 *   await session.compact();
 * } catch (error) {
 *   if (error instanceof SessionBusyError) console.log(`${error.sessionId} is being compacted by another process.`);
 * }
 */
export class SessionBusyError extends ThroughlineError {
  /** Id of the session. */
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(
      "session-busy",
      `Session ${sessionId} is being compacted.`,
      "Retry in a moment. A stale lock expires by itself.",
    );
    this.sessionId = sessionId;
  }
}
