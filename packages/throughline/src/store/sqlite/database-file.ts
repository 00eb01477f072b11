import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../errors/store-errors.ts";
import { fileErrorCode } from "./sqlite-error.ts";

/** SQLite application id of Throughline: "Thrl". */
export const APPLICATION_ID = 0x5468_726c;

const MAGIC = Buffer.from("SQLite format 3\0");
const HEADER_SIZE = 100;

/**
 * Inspects a file before SQLite opens it, because SQLite would write next to a foreign file. Returns `absent` if there
 * is no file in an existing folder, or an empty one.
 *
 * @throws StoreError `not-ours`, `corrupt` or `read-only`
 */
export function inspectFile(path: string): "absent" | "ours" {
  const stats = accessible(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) {
    requireFolder(path);
    return "absent";
  }
  // Opening a pipe would block.
  if (!stats.isFile())
    throw new StoreError("not-ours", `${path} is ${stats.isDirectory() ? "a directory" : "not a regular file"}.`);
  if (isOpenInProcess(path)) return "ours";
  const file = accessible(path, () => openSync(path, "r"));
  try {
    const header = Buffer.alloc(HEADER_SIZE);
    const length = readSync(file, header, 0, HEADER_SIZE, 0);
    if (length === 0) {
      refuseCut(path);
      return "absent";
    }
    checkHeader(path, header.subarray(0, length));
    if (hasForeignLog(path)) throw foreignLog(path);
    // In this order: pages moved from the log into the file before the log was truncated are now in the file.
    if (!hasLog(path) && fstatSync(file).size < sizeInHeader(header)) throw truncated(path);
    return "ours";
  } finally {
    closeSync(file);
  }
}

/** SQLite creates a file, but no folder. */
function requireFolder(path: string): void {
  const folder = dirname(path);
  if (accessible(path, () => statSync(folder, { throwIfNoEntry: false })) !== undefined) return;
  throw new StoreError("read-only", `Cannot create ${path}: the folder ${folder} does not exist.`, {
    hint: "Create the folder first, or use another path.",
  });
}

/** Refuses an empty file with a log: it was a store before. Other empty files become a new store. */
function refuseCut(path: string): void {
  const logSize = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logSize === 0) return;
  throw new StoreError("corrupt", `${path} is empty but has a -wal file: it was truncated.`, {
    hint: "Restore a backup. To start with a new store, delete the file and its -wal and -shm files.",
  });
}

function foreignLog(path: string): StoreError {
  return new StoreError("corrupt", `${path} was replaced: ${path}-wal belongs to the previous file.`, {
    hint: "To use the old file, restore it. To use the new one, close every program that uses the old file, then delete the -wal and -shm files.",
  });
}

function accessible<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw new StoreError("read-only", `Cannot open ${path} (${fileErrorCode(cause)}).`, { cause });
  }
}

function checkHeader(path: string, header: Buffer): void {
  const magic = header.subarray(0, MAGIC.length);
  if (!magic.equals(MAGIC.subarray(0, magic.length)))
    throw new StoreError("not-ours", `${path} is not a SQLite database.`);
  if (header.length < HEADER_SIZE) throw truncated(path);
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw new StoreError("not-ours", `${path} is a SQLite database of another program.`);
  }
}

function sizeInHeader(header: Buffer): number {
  const pageSize = header.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
}

/** Recent changes may be only in the log or journal. */
function hasLog(path: string): boolean {
  return ["-wal", "-journal"].some((suffix) => (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

function truncated(path: string): StoreError {
  return new StoreError("corrupt", `${path} is truncated: it is shorter than its header says.`);
}

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
function isOpenInProcess(path: string): boolean {
  return openFiles.has(identityOf(path));
}

function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}`;
}

// SQLite applies the log with a file's name to whatever file is there. If the file was replaced, pages of the old one
// would end up in the new one. So a small file beside the log records its owner.

const LOG = "-wal";
const OWNER = "-wal-owner";

interface LogIdentity {
  readonly inode: string;
  /** Creation time, if the file system has it: inode numbers of deleted files are reused. */
  readonly born: string | undefined;
}

/** Records that the log at this path belongs to the current file. */
export function noteLogOwner(path: string): void {
  const [log, file] = [logIdentity(path + LOG), logIdentity(path)];
  if (log === undefined || file === undefined) return;
  try {
    writeFileSync(path + OWNER, JSON.stringify({ log, file }), { mode: 0o600 });
  } catch {
    // Without the record SQLite behaves as usual.
  }
}

/** Removes the record if there is no log. */
export function forgetLogOwner(path: string): void {
  if (logIdentity(path + LOG) !== undefined) return;
  try {
    rmSync(path + OWNER, { force: true });
  } catch {
    // On a read-only file system the record stays. It names a missing log, so it has no effect.
  }
}

/** True if the log beside the file belongs to a previous file at this path. */
function hasForeignLog(path: string): boolean {
  try {
    const { log, file } = JSON.parse(readFileSync(path + OWNER, "utf8")) as { log: LogIdentity; file: LogIdentity };
    return isSame(log, logIdentity(path + LOG)) && !isSame(file, logIdentity(path));
  } catch {
    return false;
  }
}

function isSame(noted: LogIdentity, found: LogIdentity | undefined): boolean {
  if (noted.inode !== found?.inode) return false;
  return noted.born === undefined || found.born === undefined || noted.born === found.born;
}

function logIdentity(path: string): LogIdentity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { dev, ino, birthtimeNs, ctimeNs } = stats;
  // Some systems report the time of the last change instead.
  const isKnown = birthtimeNs > 0n && birthtimeNs < ctimeNs;
  return { inode: `${dev}:${ino}`, born: isKnown ? String(birthtimeNs) : undefined };
}
