import type { Ledger } from "../../ledger/ledger.ts";
import type { Artifact } from "../../ports/memory.ts";

/** A change that was committed while somebody worked on a task. */
export interface TaskCommit {
  readonly id: string;
  readonly subject: string;
}

/** Something that the user wanted, and all that was done about it: what an episode tells of. */
export interface Task {
  /** The id of the message that it began with. */
  readonly id: string;
  readonly sessionId: string;
  /** In milliseconds since 1970; 0 where it is not known. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What was asked for and done, of this task alone. */
  readonly ledger: Ledger;
  readonly commits: readonly TaskCommit[];
  /** Pull requests and decision records that were made or spoken of. */
  readonly artifacts: readonly Artifact[];
  /** What the assistant said when it was done with something, the newest last. */
  readonly replies: readonly string[];
}
