import { ThroughlineError } from "./throughline-error.ts";

/**
 * A transcript is empty, or has no readable message of its format.
 *
 * @example
 * try {
 *   parseTranscript("", "claude-code");
 * } catch (error) {
 *   if (error instanceof UnreadableTranscriptError) console.error(error.message);
 * }
 */
export class UnreadableTranscriptError extends ThroughlineError {
  constructor(problem: string, hint: string) {
    super("unreadable-transcript", problem, hint);
  }
}
