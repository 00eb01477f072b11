import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { StoreError } from "../../errors/store-error.ts";
import { fileErrorCode } from "./file-error-code.ts";
import { isHeld } from "./held-file.ts";
import { hasForeignLog } from "./log-owner.ts";

/** Marks a SQLite file as ours: "Thrl". */
export const APPLICATION_ID = 0x5468_726c;

const MAGIC = Buffer.from("SQLite format 3\0");
const HEADER_SIZE = 100;
/** Milliseconds in which a new file gets its first page, on a slow machine too. */
const CREATION_TIME = 60_000;

/**
 * Looks at a file before SQLite does, which would write beside a file that is not ours. `absent` where nothing is there
 * yet, or an empty file.
 *
 * @throws StoreError `not-ours`, `corrupt` or `read-only`
 */
export function inspectFile(path: string): "absent" | "ours" {
  const stats = accessible(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return "absent";
  // To open a pipe would wait for somebody to write to it.
  if (!stats.isFile()) throw new StoreError("not-ours", `${path} is ${stats.isDirectory() ? "a folder" : "no file"}.`);
  if (isHeld(path)) return "ours";
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
    // In this order: what was moved from the log into the file before the log was empty is in the file now.
    if (!hasLog(path) && fstatSync(file).size < sizeInHeader(header)) throw truncated(path);
    return "ours";
  } finally {
    closeSync(file);
  }
}

/**
 * An empty file becomes a new store, if it was never more than that: one that another process is creating right now, or
 * one that was made for this. A file with a log, or one that was written to long after it was made, was a store.
 */
function refuseCut(path: string): void {
  const { birthtimeMs, mtimeMs } = statSync(path);
  const wasWritten = birthtimeMs > 0 && mtimeMs - birthtimeMs > CREATION_TIME;
  const logSize = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (!wasWritten && logSize === 0) return;
  const why = logSize > 0 ? "has a -wal file" : "used to hold data";
  throw new StoreError("corrupt", `${path} is empty but ${why}: it was truncated.`, {
    hint: "Restore a backup. To begin with a new store, delete the file and its -wal and -shm files.",
  });
}

function foreignLog(path: string): StoreError {
  return new StoreError("corrupt", `${path} was replaced: ${path}-wal is the log of the file that was there before.`, {
    hint: "To use the old file, put it back. To use the new one, close every program that uses the old file, then delete the -wal and -shm files.",
  });
}

function accessible<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw new StoreError("read-only", `${path} cannot be opened (${fileErrorCode(cause)}).`, { cause });
  }
}

function checkHeader(path: string, header: Buffer): void {
  const magic = header.subarray(0, MAGIC.length);
  if (!magic.equals(MAGIC.subarray(0, magic.length)))
    throw new StoreError("not-ours", `${path} is no SQLite database.`);
  if (header.length < HEADER_SIZE) throw truncated(path);
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw new StoreError("not-ours", `${path} is a SQLite database of another program.`);
  }
}

function sizeInHeader(header: Buffer): number {
  const pageSize = header.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
}

/** What is not yet in the file may be in its log or in its journal. */
function hasLog(path: string): boolean {
  return ["-wal", "-journal"].some((suffix) => (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

function truncated(path: string): StoreError {
  return new StoreError("corrupt", `${path} is shorter than it says itself.`);
}
