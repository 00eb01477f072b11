import type { Mention } from "../signals/find-mentions.ts";

/** What is known at the moment at which something is to be predicted. */
export interface FileSituation {
  /** The opened file and those that the session touched before it, the newest first. They are at hand: none is predicted. */
  readonly anchors: readonly string[];
  /** A session goes on, of which more is known than the file that was opened. */
  readonly inSession: boolean;
  /** Things that hold now, by which uses were marked. */
  readonly signals: readonly string[];
  /** Words that say what the work is about: those of the branch. */
  readonly words: readonly string[];
  /** Paths that the session has shown, by the names of known files where they are known. */
  readonly mentions: ReadonlyMap<string, Mention>;
  /** Files that the first anchor imports. */
  readonly imports: ReadonlySet<string>;
  /** The basket of the session itself, which tells nothing new. */
  readonly ownBasket?: number;
}
