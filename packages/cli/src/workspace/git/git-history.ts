import { InvalidOptionError } from "throughline";
import type { Commit } from "throughline/internal";
import { WorkspaceError } from "../workspace-error.ts";
import { gitState } from "./git-state.ts";
import { LOG_FORMAT, readLog } from "./read-log.ts";
import { askGit, runGit } from "./run-git.ts";

export interface GitHistoryOptions {
  /** The id of a commit: only what came after it, where it is still part of the history; otherwise everything. */
  readonly since?: string;
  /** The newest so many. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Parents come before their children, so that the last one is what is checked out. A merge brings no files of its own. */
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
/** Beyond so many names that may belong together, only those with the same content are taken for renamed. */
const RENAMES = ["--find-renames", "-l400"];
const ID = /^[0-9a-f]{7,64}$/i;

/**
 * Commits of the branch that is checked out in a folder, the oldest first, read while git writes them. Paths are from
 * that folder, also where it is part of a larger repository. Nothing, where there is no history: `gitState` says why.
 *
 * @throws InvalidOptionError for what is no commit's id, and for a limit that is no number.
 * @throws WorkspaceError where git breaks off.
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
  // Where older objects were not brought along, contents cannot be compared, and a rename is a new file.
  const renames = (await isPartial(root, signal)) ? ["--no-renames"] : RENAMES;
  const run = runGit(root, [...LOG, ...renames, ...most, range, "--"], signal);
  try {
    for await (const { hasParent, ...commit } of readLog(run.output)) {
      signal?.throwIfAborted();
      // The oldest commits of a shallow clone seem to bring every file there is.
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

/** Whether files' contents were left where the repository came from. */
async function isPartial(root: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { answer } = await askGit(root, ["config", "--get-regexp", "^remote\\..*\\.promisor$"], signal);
  return /\btrue$/m.test(answer);
}
