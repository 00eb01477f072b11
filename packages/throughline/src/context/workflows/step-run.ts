/** One run of a step in a session. */
export interface StepRun {
  /** Name of the step: `test`, `build`, `commit`. */
  readonly step: string;
  /** The command on one line, with secrets redacted. */
  readonly command: string;
  /** `unsure` if it ran together with others and one of them failed, or if there is no result. */
  readonly outcome: "ok" | "failed" | "unsure";
  /** Most informative line of its error output. */
  readonly says?: string;
  /** Names of files that were changed since the previous run. */
  readonly edited?: readonly string[];
  /** Commands with effects since the previous run that are not steps. */
  readonly aside?: readonly string[];
}

/** Runs of one session, in order. */
export interface SessionRuns {
  readonly sessionId: string;
  /** Start of the session, in milliseconds since 1970. 0 if unknown. */
  readonly at: number;
  readonly runs: readonly StepRun[];
}
