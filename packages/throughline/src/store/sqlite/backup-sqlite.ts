import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { StoreError } from "../../errors/store-error.ts";
import { fileErrorCode } from "./file-error-code.ts";
import { openForReading } from "./open-database.ts";
import { toStoreError } from "./sqlite-error.ts";
import { whileBusy } from "./while-busy.ts";

const PATIENCE = 10_000;

/**
 * Copies a database as it is at one moment, while other processes go on writing to it. Nothing is at `target` before the
 * copy is whole: one that was cut short is left beside it, with a name that ends in `.part`.
 *
 * @throws InvalidOptionError where something is at `target` already
 * @throws StoreError where the file is not ours, or where the copy cannot be written; then no copy is left behind
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  if (existsSync(target)) throw taken(target);
  const draft = `${resolve(target)}.${randomUUID()}.part`;
  try {
    await whileBusy(() => copy(path, draft), PATIENCE);
    flush(draft);
    publish(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function copy(path: string, draft: string): Promise<void> {
  // What an attempt before this one left.
  rmSync(draft, { force: true });
  try {
    const connection = openForReading(path);
    try {
      await connection.run("VACUUM INTO ?", [draft]);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreError(error, `${path}, which is copied to ${draft}`);
  }
}

function flush(draft: string): void {
  const file = openSync(draft, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Gives the copy its name, which nobody may have taken meanwhile. */
function publish(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (cause) {
    if (fileErrorCode(cause) === "EEXIST") throw taken(target);
    rename(draft, target);
  }
}

/** For file systems on which a file has one name. */
function rename(draft: string, target: string): void {
  if (existsSync(target)) throw taken(target);
  try {
    renameSync(draft, target);
  } catch (cause) {
    throw new StoreError("read-only", `${target} cannot be written (${fileErrorCode(cause)}).`, { cause });
  }
}

function taken(target: string): InvalidOptionError {
  return new InvalidOptionError("target", target, "the path of a file that is not there yet");
}
