import { statSync } from "node:fs";

/** Number of our connections per file, by device and inode. */
const openFiles = new Map<string, number>();

/** A file that one of our connections has open. */
export interface OpenFile {
  readonly path: string;
  /** True if the path leads to another file, or to none. */
  isGone(): boolean;
  release(): void;
}

export function registerOpenFile(path: string): OpenFile {
  const identity = identityOf(path);
  openFiles.set(identity, (openFiles.get(identity) ?? 0) + 1);
  return {
    path,
    isGone: () => identityOf(path) !== identity,
    release() {
      const left = (openFiles.get(identity) ?? 1) - 1;
      if (left > 0) openFiles.set(identity, left);
      else openFiles.delete(identity);
    },
  };
}

/**
 * True if this process has the file open. It must then not be opened outside SQLite: closing it would release all POSIX
 * locks of the process on it, and another process could treat the log as abandoned.
 */
export function isOpenInProcess(path: string): boolean {
  return openFiles.has(identityOf(path));
}

function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}`;
}
