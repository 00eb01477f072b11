import { statSync } from "node:fs";

/** Number of our connections per file, by device and inode. */
const held = new Map<string, number>();

/** A file that one of our connections has open. */
export interface HeldFile {
  readonly path: string;
  /** True if the path leads to another file, or to none. */
  isGone(): boolean;
  release(): void;
}

export function holdFile(path: string): HeldFile {
  const identity = identityOf(path);
  held.set(identity, (held.get(identity) ?? 0) + 1);
  return {
    path,
    isGone: () => identityOf(path) !== identity,
    release() {
      const left = (held.get(identity) ?? 1) - 1;
      if (left > 0) held.set(identity, left);
      else held.delete(identity);
    },
  };
}

/**
 * True if this process has the file open. It must then not be opened outside SQLite: closing it would release all POSIX
 * locks of the process on it, and another process could treat the log as abandoned.
 */
export function isHeld(path: string): boolean {
  return held.has(identityOf(path));
}

function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}`;
}
