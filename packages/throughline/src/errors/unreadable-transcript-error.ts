import { ThroughlineError } from "./throughline-error.ts";

/** A text in which not one message of the given format could be found. */
export class UnreadableTranscriptError extends ThroughlineError {
  constructor(problem: string, hint: string) {
    super("unreadable-transcript", problem, hint);
  }
}
