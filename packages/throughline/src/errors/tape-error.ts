import { ThroughlineError } from "./throughline-error.ts";

/** What is wrong with a tape, or with what is asked of it. Stable: callers may switch on it. */
export type TapeProblem = "not-a-tape" | "not-recorded" | "other-model";

const HINTS: Readonly<Record<TapeProblem, string>> = {
  "not-a-tape": "Give what a recording model wrote, read with JSON.parse, and record it again where it was changed.",
  "not-recorded": "Record the tape again, or ask what was asked when it was recorded.",
  "other-model": "Give each model a tape of its own.",
};

/** A tape cannot give an answer. */
export class TapeError extends ThroughlineError {
  readonly problem: TapeProblem;

  constructor(problem: TapeProblem, message: string) {
    super("tape", message, HINTS[problem]);
    this.problem = problem;
  }
}
