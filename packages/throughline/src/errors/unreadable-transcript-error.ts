import { ThroughlineError } from "./throughline-error.ts";

/** A transcript without a single readable message of its format. */
export class UnreadableTranscriptError extends ThroughlineError {
  constructor(problem: string, hint: string) {
    super("unreadable-transcript", problem, hint);
  }
}
