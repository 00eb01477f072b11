import type { Ledger } from "../../ledger/ledger.ts";
import type { Artifact } from "../../ports/memory.ts";

/** A commit that was made during a task. */
export interface TaskCommit {
  readonly id: string;
  readonly subject: string;
}

/** A task of the user with everything that was done for it. An episode describes one task. */
export interface Task {
  /** Id of its first message. */
  readonly id: string;
  readonly sessionId: string;
  /** Milliseconds since 1970. 0 if unknown. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Ledger of this task only. */
  readonly ledger: Ledger;
  readonly commits: readonly TaskCommit[];
  /** Pull requests and decision records that were created or mentioned. */
  readonly artifacts: readonly Artifact[];
  /** Final replies of the assistant, newest last. */
  readonly replies: readonly string[];
}
