import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

// SQLite applies the log with a file's name to whatever file is there. If the file was replaced, pages of the old one
// would end up in the new one. So a small file beside the log records its owner.

const LOG = "-wal";
const OWNER = "-wal-owner";

interface Identity {
  readonly inode: string;
  /** Creation time, if the file system has it: inode numbers of deleted files are reused. */
  readonly born: string | undefined;
}

/** Records that the log at this path belongs to the current file. */
export function noteLogOwner(path: string): void {
  const [log, file] = [identityOf(path + LOG), identityOf(path)];
  if (log === undefined || file === undefined) return;
  try {
    writeFileSync(path + OWNER, JSON.stringify({ log, file }), { mode: 0o600 });
  } catch {
    // Without the record SQLite behaves as usual.
  }
}

/** Removes the record if there is no log. */
export function forgetLogOwner(path: string): void {
  if (identityOf(path + LOG) !== undefined) return;
  try {
    rmSync(path + OWNER, { force: true });
  } catch {
    // On a read-only file system the record stays. It names a missing log, so it has no effect.
  }
}

/** True if the log beside the file belongs to a previous file at this path. */
export function hasForeignLog(path: string): boolean {
  try {
    const { log, file } = JSON.parse(readFileSync(path + OWNER, "utf8")) as { log: Identity; file: Identity };
    return isSame(log, identityOf(path + LOG)) && !isSame(file, identityOf(path));
  } catch {
    return false;
  }
}

function isSame(noted: Identity, found: Identity | undefined): boolean {
  if (noted.inode !== found?.inode) return false;
  return noted.born === undefined || found.born === undefined || noted.born === found.born;
}

function identityOf(path: string): Identity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { dev, ino, birthtimeNs, ctimeNs } = stats;
  // Some systems report the time of the last change instead.
  const isKnown = birthtimeNs > 0n && birthtimeNs < ctimeNs;
  return { inode: `${dev}:${ino}`, born: isKnown ? String(birthtimeNs) : undefined };
}
