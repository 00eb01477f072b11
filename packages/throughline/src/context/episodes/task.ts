import type { Ledger, LedgerFile } from "../../ledger/ledger.ts";
import { wasChanged } from "../../ledger/reduce-outcome.ts";
import type { Artifact } from "../../ports/memory.ts";

/** A commit that was made during a task. */
export interface TaskCommit {
  readonly id: string;
  readonly subject: string;
}

/** Title of a plan, a pull request or an issue. */
export interface TaskTitle {
  readonly type: "plan" | "pr" | "issue";
  readonly text: string;
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
  /** Titles of the plans, pull requests and issues that were written during the task. */
  readonly titles: readonly TaskTitle[];
  /** All to-dos that the assistant wrote down, also those that its list no longer has. */
  readonly todos: readonly string[];
  /** True if the user's last message is thanks or praise. */
  readonly isAccepted: boolean;
}

/** Paths outside of any project. */
const ELSEWHERE =
  /^(?:\/tmp\/|\/private\/|\/var\/|~\/\.|\/dev\/|[A-Za-z]:\\(?:Temp|Windows)\\)|(?:^|\/)(?:node_modules|\.git|\.claude|\.codex)\//;

/** Changed files of the project, the last used one at the end. Paths are relative to the folder, if it is known. */
export function changedFiles({ files }: Ledger, folder?: string): readonly LedgerFile[] {
  return files
    .filter(wasChanged)
    .map((file) => ({ ...file, path: fromRoot(file.path, folder) }))
    .filter(({ path }) => !ELSEWHERE.test(path) && !(folder !== undefined && /^(?:\/|[A-Za-z]:|~|\.\.\/)/.test(path)));
}

/** Path relative to the folder, if it is below it. */
export function fromRoot(path: string, folder: string | undefined): string {
  const plain = path.replaceAll("\\", "/");
  const root = folder?.replaceAll("\\", "/").replace(/(?<!\/)\/+$/, "");
  return root !== undefined && root !== "" && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
}
