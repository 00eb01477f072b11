import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { ThroughlineError } from "throughline";

/** Disables programs, fetches and prompts that a repository's own settings could start. */
const SAFE_SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.askPass=",
  "credential.helper=",
  "protocol.allow=never",
  "log.showSignature=false",
  "color.ui=false",
];
const SAFE_VARIABLES = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  LC_ALL: "C",
};
const MAX_COMPLAINT_LENGTH = 4_000;

interface GitRun {
  readonly output: AsyncIterable<Uint8Array>;
  /** The exit code (`undefined` if git is missing) and the error output. */
  readonly end: Promise<{ readonly code: number | undefined; readonly complaint: string }>;
  stop(): void;
}

/** Starts git in a folder. Arguments come only from this program; external values are validated first. */
export function runGit(root: string, args: readonly string[], signal?: AbortSignal): GitRun {
  signal?.throwIfAborted();
  const settings = SAFE_SETTINGS.flatMap((setting) => ["-c", setting]);
  const child = spawn("git", ["--no-pager", ...settings, ...args], {
    cwd: root,
    env: { ...withoutGit(process.env), ...SAFE_VARIABLES },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, MAX_COMPLAINT_LENGTH);
  });
  const stop = (): void => {
    child.kill();
  };
  signal?.addEventListener("abort", stop, { once: true });
  const end = new Promise<{ code: number | undefined; complaint: string }>((resolve) => {
    child.once("error", () => resolve({ code: undefined, complaint }));
    child.once("close", (code) => resolve({ code: code ?? -1, complaint }));
  }).finally(() => signal?.removeEventListener("abort", stop));
  return { output: child.stdout, end, stop };
}

/** The whole output of a short command, and its exit code. */
export async function askGit(
  root: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly code: number | undefined; readonly complaint: string; readonly answer: string }> {
  const { output, end } = runGit(root, args, signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  const ended = await end;
  signal?.throwIfAborted();
  return { ...ended, answer: Buffer.concat(chunks).toString("utf8") };
}

/** Inside a git hook, environment variables point to another repository. */
function withoutGit(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith("GIT_")));
}

/**
 * The state of a folder's git history.
 *
 * - `ready`: a repository with commits; `isShallow` if older ones are missing
 * - `empty`: a repository without commits
 * - `none`: not in a repository
 * - `no-git`: git is not installed
 * - `refused`: git refuses to read it, for example because another user owns it
 */
export type GitState =
  | { readonly state: "ready"; readonly head: string; readonly isShallow: boolean }
  | { readonly state: "empty" | "none" | "no-git" }
  | { readonly state: "refused"; readonly reason: string };

/** Checks whether a folder has a git history. Never throws for the state of the folder. */
export async function gitState(root: string, signal?: AbortSignal): Promise<GitState> {
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return { state: "none" };
  const place = await askGit(
    root,
    ["rev-parse", "--is-inside-work-tree", "--is-bare-repository", "--is-shallow-repository"],
    signal,
  );
  if (place.code === undefined) return { state: "no-git" };
  if (place.code !== 0) {
    return /not a git repository/i.test(place.complaint)
      ? { state: "none" }
      : { state: "refused", reason: place.complaint.trim() };
  }
  const [isInside, isBare, isShallow] = place.answer.trim().split("\n");
  if (isInside !== "true" && isBare !== "true") return { state: "none" };
  const head = await askGit(root, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], signal);
  if (head.code !== 0) return { state: "empty" };
  return { state: "ready", head: head.answer.trim(), isShallow: isShallow === "true" };
}

const BRANCH = /^ref: refs\/heads\/(.+)$/;

/** The current branch; `undefined` without one, or outside of a repository. */
export async function currentBranch(root: string): Promise<string | undefined> {
  const head = readHead(root);
  if (head !== undefined) return head === "" ? undefined : BRANCH.exec(head)?.[1];
  const { code, answer } = await askGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const branch = answer.replace(/\n$/, "");
  return code === 0 && branch !== "" ? branch : undefined;
}

/**
 * The content of the file that names the branch, which is faster to read than to ask git; "" outside of a repository.
 *
 * @returns `undefined` if git has to decide
 */
function readHead(root: string): string | undefined {
  if (process.env.GIT_DIR !== undefined || process.env.GIT_CEILING_DIRECTORIES !== undefined) return undefined;
  try {
    for (let folder = realpathSync(root); ; folder = path.dirname(folder)) {
      const mark = path.join(folder, ".git");
      const found = statSync(mark, { throwIfNoEntry: false });
      // A bare repository, perhaps.
      if (found === undefined && existsSync(path.join(folder, "HEAD"))) return undefined;
      if (found !== undefined) {
        const [, pointer = ""] = found.isFile() ? (/^gitdir: (.+)$/m.exec(readFileSync(mark, "utf8")) ?? []) : [];
        const head = readFileSync(path.resolve(folder, pointer.trim() || ".git", "HEAD"), "utf8").trimEnd();
        // With reftables, the file is a placeholder.
        return BRANCH.test(head) && !head.endsWith("/.invalid") ? head : undefined;
      }
      if (path.dirname(folder) === folder) return "";
    }
  } catch {
    return undefined;
  }
}

/** A project on disk exists but cannot be read. */
export class WorkspaceError extends ThroughlineError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("workspace", message, "Check that git can read it: git log.", options);
  }
}
