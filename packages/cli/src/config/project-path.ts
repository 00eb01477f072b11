import path from "node:path";
import { pathsOf } from "./environment.ts";

/** `C:\shop`, `c:/shop`, `\\server\share`. */
const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\[^\\])/;

/**
 * Normalizes the path of a folder: absolute, no trailing separator, upper-case drive letter. A path of another
 * platform, as in an imported transcript, follows the rules of that platform. A name stays as it is.
 *
 * @example
 * normalizeFolder("c:\\shop\\", "linux"); // "C:\\shop"
 */
export function normalizeFolder(folder: string, platform: NodeJS.Platform): string {
  if (WINDOWS.test(folder)) return path.win32.resolve(folder).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
  const paths = pathsOf({ platform });
  return paths.isAbsolute(folder) ? paths.resolve(folder) : folder;
}

/** True if two normalized paths mean the same folder. The file systems of Windows and macOS ignore case. */
export function isSameFolder(a: string, b: string, platform: NodeJS.Platform): boolean {
  const ignoresCase = platform === "win32" || platform === "darwin";
  return ignoresCase ? a.toLowerCase() === b.toLowerCase() : a === b;
}

/** Folders in which agents create worktrees inside of a repository. */
const WORKTREES = /^(.+?)[\\/](?:\.claude[\\/]worktrees|\.worktrees)[\\/]/;

/** The repository of a worktree that an agent created, by its path; `undefined` for any other path. */
export function repositoryOfWorktree(folder: string): string | undefined {
  return WORKTREES.exec(folder)?.[1];
}
