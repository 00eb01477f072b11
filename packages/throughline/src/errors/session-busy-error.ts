import { ThroughlineError } from "./throughline-error.ts";

/** Somebody else is compacting the session right now. */
export class SessionBusyError extends ThroughlineError {
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(
      "session-busy",
      `Session ${sessionId} is being compacted.`,
      "Try again in a moment; a lock that was left behind expires by itself.",
    );
    this.sessionId = sessionId;
  }
}
