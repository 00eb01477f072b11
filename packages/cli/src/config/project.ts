import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { UsageError } from "../usage-error.ts";
import { pathsOf } from "./environment.ts";

/** A project on this machine. */
export interface Project {
  /** Id of its memories: the root of its repository. */
  readonly id: string;
  /** Folder of its files: the same, except for a worktree. */
  readonly root: string;
  /** False for a folder outside of a repository, and for a name. */
  readonly isRepository: boolean;
}

/**
 * The project of a folder: its repository, and for a worktree the main one. A folder outside of a repository, or a path
 * of another platform, is a project itself.
 */
export function projectOf(folder: string): Project {
  const whole = normalizeFolder(folder, process.platform);
  if (!path.isAbsolute(whole)) return { id: repositoryOfWorktree(whole) ?? whole, root: whole, isRepository: false };
  const home = normalizeFolder(homedir(), process.platform);
  const alone = { id: withoutWorktree(whole), root: whole, isRepository: false };
  try {
    for (let root = whole; ; root = path.dirname(root)) {
      // A home folder under version control is not one big project.
      if (root !== whole && isSameFolder(root, home, process.platform)) return alone;
      const mark = statSync(path.join(root, ".git"), { throwIfNoEntry: false });
      if (mark?.isDirectory()) return { id: root, root, isRepository: true };
      if (mark?.isFile()) {
        return { id: repositoryOf(path.join(root, ".git")) ?? root, root, isRepository: true };
      }
      if (path.dirname(root) === root) return alone;
    }
  } catch {
    // The path is too long or not accessible.
    return alone;
  }
}

/** A deleted worktree belongs to the repository in its path. */
function withoutWorktree(folder: string): string {
  const repository = repositoryOfWorktree(folder);
  return repository === undefined || existsSync(folder) ? folder : repository;
}

/** The main repository of a worktree; `undefined` for other pointers, such as a submodule. */
function repositoryOf(pointer: string): string | undefined {
  const [, gitDir = ""] = /^gitdir: (.+)$/m.exec(readFileSync(pointer, "utf8")) ?? [];
  const [, repository] = /^(.+?)(?:[\\/]\.git)?[\\/]worktrees[\\/][^\\/]+$/.exec(gitDir.trim()) ?? [];
  if (repository === undefined) return undefined;
  return normalizeFolder(path.resolve(path.dirname(pointer), repository), process.platform);
}

/**
 * The absolute path of a project folder.
 *
 * @throws UsageError if it is not a folder
 */
export function projectFolder(named: string): string {
  const folder = path.resolve(named);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`Not a folder: ${named}.`, "Give the folder of a project.");
}

/** Base folders for relative paths. */
interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** `.`, `..`, `./sub`, `../sub`, `~`, `~/sub`: with either slash. */
const RELATIVE = /^\.{1,2}(?:[/\\]|$)/;
const HOME = /^~(?=[/\\]|$)/;

/**
 * The project in `--project`: a path means the repository that it is in, anything else is a name.
 *
 * @throws UsageError if the name is empty
 */
export function resolveProject(named: string, { cwd, home }: Place): Project {
  if (named.trim() === "")
    throw new UsageError("--project is empty.", "Give a folder such as . or the name of a project.");
  return projectOf(
    isProjectPath(named)
      ? path.resolve(
          cwd,
          named.replace(HOME, () => home),
        )
      : named,
  );
}

/** True if a project is given as a path, and not as a name. */
export function isProjectPath(named: string): boolean {
  return RELATIVE.test(named) || HOME.test(named) || path.isAbsolute(named);
}

/** `C:\shop`, `c:/shop`, `\\server\share`. */
const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\[^\\])/;

/**
 * Normalizes the path of a folder: absolute, no trailing separator, upper-case drive letter. A path of another
 * platform, as in an imported transcript, follows the rules of that platform. Names are returned unchanged.
 *
 * @example
 * normalizeFolder("c:\\shop\\", "linux"); // "C:\\shop"
 */
export function normalizeFolder(folder: string, platform: NodeJS.Platform): string {
  if (WINDOWS.test(folder)) return path.win32.resolve(folder).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
  const paths = pathsOf({ platform });
  return paths.isAbsolute(folder) ? paths.resolve(folder) : folder;
}

/** True if two normalized paths mean the same folder. The file systems of Windows and macOS are case-insensitive. */
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
