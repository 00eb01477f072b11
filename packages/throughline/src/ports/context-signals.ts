/** Signals about the current work. */
export interface ContextSignals {
  /** Path relative to the project root. */
  readonly currentFile?: string;
  /** Recently used files, newest last. Default: the files of the session's own signals. */
  readonly recentFiles?: readonly string[];
  readonly recentErrors?: readonly string[];
  /** `default`, `new-feature`, `debugging`, or a custom activity of the caller. */
  readonly activity?: string;
  readonly branch?: string;
  /** Milliseconds since 1970. Default: now. */
  readonly at?: number;
  /** Name of another person who works on the same task. */
  readonly collaborator?: string;
  /** Session whose history and signals apply. */
  readonly sessionId?: string;
}
