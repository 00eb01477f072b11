import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

// SQLite applies the log that it finds under a file's name to whatever file is there. If the file was replaced meanwhile,
// pages of the old one end up in the new one. So a small file beside the log says which file it belongs to.

const LOG = "-wal";
const OWNER = "-wal-owner";

interface Identity {
  readonly inode: string;
  /** When the file was made, where the file system knows it: the number of a deleted file is given out again. */
  readonly born: string | undefined;
}

/** Notes that the log at this path belongs to the file that is there now. */
export function noteLogOwner(path: string): void {
  const [log, file] = [identityOf(path + LOG), identityOf(path)];
  if (log === undefined || file === undefined) return;
  try {
    writeFileSync(path + OWNER, JSON.stringify({ log, file }), { mode: 0o600 });
  } catch {
    // Without the note SQLite works as it always does.
  }
}

/** Removes the note if there is no log any more. */
export function forgetLogOwner(path: string): void {
  if (identityOf(path + LOG) !== undefined) return;
  try {
    rmSync(path + OWNER, { force: true });
  } catch {
    // On a read-only file system the note stays. It names a log that is gone, so it has no effect.
  }
}

/** Whether the log beside the file belongs to another one that was at this path before. */
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
  // Some systems give the time of the last change instead.
  const isKnown = birthtimeNs > 0n && birthtimeNs < ctimeNs;
  return { inode: `${dev}:${ino}`, born: isKnown ? String(birthtimeNs) : undefined };
}
