import { ThroughlineError } from "./throughline-error.ts";

/** Another process is compacting the session. */
export class SessionBusyError extends ThroughlineError {
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
