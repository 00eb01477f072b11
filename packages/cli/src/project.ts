import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** A project on this machine. */
export interface Project {
  /** What its memories are kept under: where its repository begins. */
  readonly id: string;
  /** Where its files are: the same, but for a worktree. */
  readonly root: string;
}

/**
 * The project that a folder belongs to: the repository that it lies in, wherever in it somebody works, and for a worktree the
 * one that it was made from. A folder that is in none, or that another kind of system names, is a project itself.
 */
export function projectOf(folder: string): Project {
  if (!path.isAbsolute(folder)) return { id: folder, root: folder };
  const whole = path.resolve(folder);
  const alone = { id: withoutWorktree(whole), root: whole };
  try {
    for (let root = whole; ; root = path.dirname(root)) {
      // Who keeps their settings in git has no project of everything in their home.
      if (root === homedir() && root !== whole) return alone;
      const mark = statSync(path.join(root, ".git"), { throwIfNoEntry: false });
      if (mark?.isDirectory()) return { id: root, root };
      if (mark?.isFile()) return { id: repositoryOf(path.join(root, ".git")) ?? root, root };
      if (path.dirname(root) === root) return alone;
    }
  } catch {
    // Too long for a path, or not ours to look at: then it is no folder that we could read anything of.
    return alone;
  }
}

/** Where agents put worktrees inside of a repository. */
const WORKTREES = /^(.+?)\/(?:\.claude\/worktrees|\.worktrees)\//;

/** A worktree that was deleted since belongs to the repository that its path names. */
function withoutWorktree(folder: string): string {
  const [, repository] = WORKTREES.exec(folder) ?? [];
  return repository === undefined || existsSync(folder) ? folder : repository;
}

/** Of a worktree, which only points to it; nothing where it is something else that points, such as a submodule. */
function repositoryOf(pointer: string): string | undefined {
  const [, gitDir = ""] = /^gitdir: (.+)$/m.exec(readFileSync(pointer, "utf8")) ?? [];
  const [, repository] = /^(.+?)(?:[\\/]\.git)?[\\/]worktrees[\\/][^\\/]+$/.exec(gitDir.trim()) ?? [];
  return repository === undefined ? undefined : path.resolve(path.dirname(pointer), repository);
}
