import { statSync } from "node:fs";

/** How many connections of ours each file has, by device and number. */
const held = new Map<string, number>();

/** A file that a connection of ours has open. */
export interface HeldFile {
  readonly path: string;
  /** The path leads to another file by now, or to none. */
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
 * Whether this process has the file open. Then nobody here may open it beside SQLite: to close it again would end all
 * locks of the process on it (so POSIX has it), and another process would take the log of a file in use for left behind.
 */
export function isHeld(path: string): boolean {
  return held.has(identityOf(path));
}

function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}`;
}
