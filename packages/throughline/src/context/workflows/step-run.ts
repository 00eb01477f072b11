/** Something that was done in a session, as a step of whatever it belongs to. */
export interface StepRun {
  /** What it comes down to: `test`, `build`, `commit`. */
  readonly step: string;
  /** As it was typed, on one line, secrets blanked. */
  readonly command: string;
  /** `unsure`, where it ran together with others and one of them failed, or where its end was not seen. */
  readonly outcome: "ok" | "failed" | "unsure";
  /** The line that says most about why it failed. */
  readonly says?: string;
  /** Names of files that were changed since the run before. */
  readonly edited?: readonly string[];
  /** Commands since the run before that are no steps and changed something. */
  readonly aside?: readonly string[];
}

/** What was done in one session, in order. */
export interface SessionRuns {
  readonly sessionId: string;
  /** When it began, in milliseconds since 1970; 0 where it is not known. */
  readonly at: number;
  readonly runs: readonly StepRun[];
}
