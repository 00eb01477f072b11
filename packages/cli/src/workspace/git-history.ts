import { InvalidOptionError } from "throughline";
import type { Commit } from "throughline/internal/engine";
import { askGit, gitState, runGit, WorkspaceError } from "./run-git.ts";

export interface GitHistoryOptions {
  /** Id of a commit: only later commits, if it is still part of the history; otherwise all. */
  readonly since?: string;
  /** Maximum number of commits, newest first. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Format for `readLog`: the start of a commit, its fields and its files, each followed by NUL. */
const LOG_FORMAT = ["--name-status", "-z", "--format=%x01%H%x00%P%x00%at%x00%an%x00%B"];
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

/** Maximum files per commit; the rest is dropped. */
const MAX_FILES = 5_000;
const MAX_BODY_LENGTH = 20_000;
const MAX_SUBJECT_LENGTH = 2_000;
/** Shorter first lines were ended on purpose, not wrapped. */
const BROKEN_LINE = 50;
const MAX_SUBJECT_LINES = 4;
/** The last second of the year 9999; later times are invalid. */
const LAST_SECOND = 253_402_300_799;
const NUL = 0;
const START = "\u0001";
const NOT_TEXT = "\ufffd";

/** A commit, and a flag that is set if a parent is known here. */
interface LoggedCommit extends Commit {
  readonly hasParent: boolean;
}

interface Draft {
  readonly id: string;
  readonly hasParent: boolean;
  readonly at: number;
  readonly author: string;
  readonly message: string;
  readonly files: Set<string>;
  readonly removed: Set<string>;
  readonly renames: { from: string; to: string }[];
}

/** Parses the commits of a log while it arrives. */
async function* readLog(output: AsyncIterable<Uint8Array>): AsyncGenerator<LoggedCommit> {
  const fields = splitFields(output);
  const next = async (): Promise<string> => {
    const { value, done } = await fields.next();
    return done === true ? "" : value;
  };
  let draft: Draft | undefined;
  for (let field = await fields.next(); field.done !== true; field = await fields.next()) {
    // Git prints a line break before the first file of a commit.
    const mark = field.value.replace(/^\n/, "");
    if (mark.startsWith(START)) {
      if (draft !== undefined) yield finish(draft);
      const [parents, at, author, message] = [await next(), await next(), await next(), await next()];
      draft = begin({ id: mark.slice(1), hasParent: parents !== "", at: readSeconds(at), author, message });
    } else if (/^[RC]\d*$/.test(mark)) {
      const [from, to] = [await next(), await next()];
      if (mark.startsWith("R")) addRename(draft, from, to);
      else addFile(draft?.files, to);
    } else if (/^[A-Z]$/.test(mark)) {
      addFile(mark === "D" ? draft?.removed : draft?.files, await next());
    }
  }
  if (draft !== undefined) yield finish(draft);
}

/** Milliseconds since 1970; 0 for times outside of the calendar. */
function readSeconds(text: string): number {
  const seconds = Number(text);
  return seconds >= 0 && seconds <= LAST_SECOND ? seconds * 1_000 : 0;
}

function begin(fields: Omit<Draft, "files" | "removed" | "renames">): Draft {
  return { ...fields, files: new Set(), removed: new Set(), renames: [] };
}

function addRename(draft: Draft | undefined, from: string, to: string): void {
  addFile(draft?.files, to);
  if (isText(from) && isText(to) && draft !== undefined && draft.renames.length < MAX_FILES)
    draft.renames.push({ from, to });
}

/** Skips file names that are not valid text. */
function addFile(files: Set<string> | undefined, path: string): void {
  if (isText(path) && files !== undefined && files.size < MAX_FILES) files.add(path);
}

function isText(path: string): boolean {
  return path !== "" && !path.includes(NOT_TEXT);
}

function finish({ id, hasParent, at, author, message, files, removed, renames }: Draft): LoggedCommit {
  const { subject, rest } = splitMessage(message.trim().split("\n"));
  return {
    id,
    hasParent,
    at,
    author,
    subject: subject.trim().slice(0, MAX_SUBJECT_LENGTH),
    body: rest.join("\n").trim().slice(0, MAX_BODY_LENGTH),
    files: [...files],
    renames,
    removed: [...removed].filter((path) => !files.has(path)),
  };
}

/** Joins a wrapped first line with the next one, which continues in lower case, up to the end of the sentence. */
function splitMessage(lines: readonly string[]): { readonly subject: string; readonly rest: readonly string[] } {
  let end = 1;
  while (end < MAX_SUBJECT_LINES && isBroken(lines[end - 1] ?? "", lines[end] ?? "")) end += 1;
  const joined = lines
    .slice(0, end)
    .map((line) => line.trim())
    .join(" ");
  if (end === 1) return { subject: joined, rest: lines.slice(1) };
  const [subject = "", ...more] = joined.split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  return { subject, rest: [more.join(" "), ...lines.slice(end)] };
}

function isBroken(line: string, next: string): boolean {
  return line.trim().length >= BROKEN_LINE && /[\p{L}\p{N},]\s*$/u.test(line) && /^\p{Ll}/u.test(next);
}

/** Splits at NULs, as bytes, because a character may be cut between chunks. */
async function* splitFields(output: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: Uint8Array[] = [];
  for await (const chunk of output) {
    let start = 0;
    for (let end = chunk.indexOf(NUL); end >= 0; end = chunk.indexOf(NUL, start)) {
      pieces.push(chunk.subarray(start, end));
      yield decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
      pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) yield decoder.decode(Buffer.concat(pieces));
}
