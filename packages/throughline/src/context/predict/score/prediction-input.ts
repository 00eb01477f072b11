import type { Mention } from "../signals/find-mentions.ts";

/** Input of a file prediction. */
export interface PredictionInput {
  /** The opened file and earlier ones of the session, newest first. They are not predicted. */
  readonly anchors: readonly string[];
  /** True if more of the session is known than the opened file. */
  readonly inSession: boolean;
  /** Current signals, such as branch or error. */
  readonly signals: readonly string[];
  /** Files that were changed after each earlier occurrence of the error, according to memories. */
  readonly ledTo?: readonly (readonly string[])[];
  /** Words of the branch name. */
  readonly words: readonly string[];
  /** Mentions in the session by path. Known files have their project path. */
  readonly mentions: ReadonlyMap<string, Mention>;
  /** Files that the first anchor imports. */
  readonly imports: ReadonlySet<string>;
  /** Basket of the session itself, which is not evidence. */
  readonly ownBasket?: number;
}
