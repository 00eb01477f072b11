import { stat } from "node:fs/promises";
import { askGit } from "./run-git.ts";

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

/** The current branch; `undefined` without one, or outside of a repository. */
export async function currentBranch(root: string): Promise<string | undefined> {
  const { code, answer } = await askGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const branch = answer.replace(/\n$/, "");
  return code === 0 && branch !== "" ? branch : undefined;
}
