import { InvalidOptionError } from "throughline";
import type { Commit } from "throughline/internal/engine";
import { WorkspaceError } from "../workspace-error.ts";
import { gitState } from "./git-state.ts";
import { LOG_FORMAT, readLog } from "./read-log.ts";
import { askGit, runGit } from "./run-git.ts";

export interface GitHistoryOptions {
  /** Id of a commit: only later commits, if it is still part of the history; otherwise all. */
  readonly since?: string;
  /** Maximum number of commits, newest first. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Parents before children, so that the last one is the current commit. Merges have no files of their own. */
const LOG = [
  "log",
  "--date-order",
  "--reverse",
  "--diff-merges=off",
  "--no-ext-diff",
  "--no-textconv",
  "--no-notes",
  "--encoding=UTF-8",
  "--relative",
  ...LOG_FORMAT,
];
/** Above this number of candidates, only files with identical content count as renamed. */
const RENAMES = ["--find-renames", "-l400"];
const ID = /^[0-9a-f]{7,64}$/i;

/**
 * Commits of the current branch, oldest first, read while git prints them. Paths are relative to the folder, even if it
 * is part of a larger repository. Empty if there is no history: `gitState` has the reason.
 *
 * @param root the folder
 * @param options where to start and how many commits to read
 * @throws InvalidOptionError for an invalid commit id or limit
 * @throws WorkspaceError if git fails
 */
export async function* gitHistory(root: string, options: GitHistoryOptions = {}): AsyncGenerator<Commit> {
  const { since, limit, signal } = options;
  if (since !== undefined && !ID.test(since)) throw new InvalidOptionError("since", since, "the id of a commit");
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new InvalidOptionError("limit", limit, "a whole number of at least 1");
  }
  const found = await gitState(root, signal);
  if (found.state !== "ready") return;
  const isPast = since !== undefined && (await isAncestor(root, since, signal));
  const range = isPast ? `${since}..HEAD` : "HEAD";
  const most = limit === undefined ? [] : [`--max-count=${limit}`];
  // Without older objects, contents cannot be compared, and a rename looks like a new file.
  const renames = (await isPartial(root, signal)) ? ["--no-renames"] : RENAMES;
  const run = runGit(root, [...LOG, ...renames, ...most, range, "--"], signal);
  try {
    for await (const { hasParent, ...commit } of readLog(run.output)) {
      signal?.throwIfAborted();
      // The oldest commits of a shallow clone seem to add every file.
      yield found.isShallow && !hasParent ? { ...commit, files: [], renames: [] } : commit;
    }
  } finally {
    run.stop();
  }
  const { code, complaint } = await run.end;
  signal?.throwIfAborted();
  if (code !== 0) throw new WorkspaceError(`Git could not read the history of ${root}: ${complaint.trim()}`);
}

async function isAncestor(root: string, id: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { code } = await askGit(root, ["merge-base", "--is-ancestor", `${id}^{commit}`, "HEAD"], signal);
  return code === 0;
}

/** True for a partial clone, which lacks file contents. */
async function isPartial(root: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { answer } = await askGit(root, ["config", "--get-regexp", "^remote\\..*\\.promisor$"], signal);
  return /\btrue$/m.test(answer);
}
