import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../errors/store-errors.ts";
import { hasForeignLog } from "./log-owner.ts";
import { isOpenInProcess } from "./open-files.ts";
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
