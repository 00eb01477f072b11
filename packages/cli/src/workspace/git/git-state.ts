import { stat } from "node:fs/promises";
import { askGit } from "./run-git.ts";

/**
 * What there is to read of a folder's history.
 *
 * - `ready`: a repository with commits; `isShallow` where its older ones were not brought along
 * - `empty`: a repository without a commit
 * - `none`: the folder is in no repository
 * - `no-git`: the program is not installed
 * - `refused`: git does not read it, for the reason it gives; a repository of another user is one
 */
export type GitState =
  | { readonly state: "ready"; readonly head: string; readonly isShallow: boolean }
  | { readonly state: "empty" | "none" | "no-git" }
  | { readonly state: "refused"; readonly reason: string };

/** Looks whether a folder has a history. It never throws for what it finds there. */
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
