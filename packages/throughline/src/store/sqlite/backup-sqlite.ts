import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError } from "../../errors/store-errors.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import { openForReading } from "./open-database.ts";
import { fileErrorCode, retryWhileBusy, toStoreError } from "./sqlite-error.ts";

const TIMEOUT_MS = 10_000;

/**
 * Copies a consistent snapshot of a database while other processes write to it. `target` appears only when the copy is
 * complete; an interrupted copy is left beside it as `.part` file. The copy has the permissions of the file.
 *
 * @param path Database file.
 * @param target Path of the copy. Must not exist.
 * @throws InvalidOptionError if `target` exists.
 * @throws StoreError if the file is not a Throughline database, or if the copy cannot be written; no copy is left then.
 *
 * @example
 * await backupSqlite("sessions.db", "backup.db");
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  if (existsSync(target)) throw taken(target);
  const draft = `${resolve(target)}.${randomUUID()}.part`;
  try {
    await retryWhileBusy(() => copy(path, draft), TIMEOUT_MS);
    publish(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function copy(path: string, draft: string): Promise<void> {
  // Left by an earlier attempt.
  rmSync(draft, { force: true });
  try {
    const connection = openForReading(path);
    try {
      await copyTo(draft, connection, path);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreError(error, `${path} (copy to ${draft})`);
  }
}

/** Writes a snapshot of an open file to a new one, with the permissions of the file from the start. */
export async function copyTo(draft: string, connection: SqlTransaction, path: string): Promise<void> {
  const { mode } = statSync(path);
  try {
    writeFileSync(draft, "", { mode, flag: "wx" });
    chmodSync(draft, mode);
  } catch (cause) {
    throw notWritable(draft, cause);
  }
  // SQLite writes into an empty file as into a new one.
  await connection.run("VACUUM INTO ?", [draft]);
  const file = openSync(draft, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Renames the copy, unless the target exists by now. */
function publish(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (cause) {
    if (fileErrorCode(cause) === "EEXIST") throw taken(target);
    rename(draft, target);
  }
}

/** For file systems without hard links. */
function rename(draft: string, target: string): void {
  if (existsSync(target)) throw taken(target);
  try {
    renameSync(draft, target);
  } catch (cause) {
    throw notWritable(target, cause);
  }
}

function taken(target: string): InvalidOptionError {
  return new InvalidOptionError("target", target, "a path that does not exist yet");
}

function notWritable(path: string, cause: unknown): StoreError {
  return new StoreError("read-only", `Cannot write ${path} (${fileErrorCode(cause)}).`, { cause });
}
