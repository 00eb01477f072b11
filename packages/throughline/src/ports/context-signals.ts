/** What is going on right now. */
export interface ContextSignals {
  /** A path from the project's root. */
  readonly currentFile?: string;
  /** Files that were at hand before it, the newest last; those of the session's own signals, where none are given. */
  readonly recentFiles?: readonly string[];
  readonly recentErrors?: readonly string[];
  /** `default`, `new-feature`, `debugging`, or one of the caller's own shares. */
  readonly activity?: string;
  readonly branch?: string;
  /** Milliseconds since 1970; now, where nothing is said. */
  readonly at?: number;
  /** Who else works on it. */
  readonly collaborator?: string;
  /** Whose context it is: what came of that session so far, and what its signals told, belongs to it. */
  readonly sessionId?: string;
}
