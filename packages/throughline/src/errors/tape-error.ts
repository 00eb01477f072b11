import { ThroughlineError } from "./throughline-error.ts";

/** Problem with a tape or a replayed request. Stable: callers may switch on it. */
export type TapeProblem = "not-a-tape" | "not-recorded" | "other-model";

const HINTS: Readonly<Record<TapeProblem, string>> = {
  "not-a-tape": "Pass the parsed JSON of a recorded tape, or record it again.",
  "not-recorded": "Record the tape again, or send the recorded request.",
  "other-model": "Use one tape per model.",
};

/**
 * A tape has no reply to a request, is for another model, or is no tape.
 *
 * @example
 * try {
 *   replayingModel(JSON.parse(await readFile("tape.json", "utf8")));
 * } catch (error) {
 *   if (error instanceof TapeError) console.error(error.problem);
 * }
 */
export class TapeError extends ThroughlineError {
  /** Reason of the failure, to switch on. */
  readonly problem: TapeProblem;

  constructor(problem: TapeProblem, message: string) {
    super("tape", message, HINTS[problem]);
    this.problem = problem;
  }
}
