import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { versionOf } from "../sql/migrate.ts";
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
async function copyTo(draft: string, connection: SqlTransaction, path: string): Promise<void> {
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

/** Days for which the copy from before a migration is kept. */
export const BACKUP_DAYS = 30;
const MAX_AGE = BACKUP_DAYS * 24 * 60 * 60 * 1_000;

/** A copy of a database file from before a migration, beside it: `sessions.db.v7.backup`. */
export interface MigrationBackup {
  readonly path: string;
  /** Schema version of the copy. */
  readonly version: number;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Also the logs of a copy that was opened. */
const BACKUP = /^\.v(\d+)\.backup(?:\..*\.part)?(?:-(?:wal|shm|journal))?$/;

/** Copies of a database file from before its migrations, and unfinished ones of processes that were killed. */
export function findMigrationBackups(file: string): readonly MigrationBackup[] {
  const { folder, name } = placeOf(file);
  return readdirSync(folder).flatMap((found) => {
    const version = found.startsWith(name) ? BACKUP.exec(found.slice(name.length))?.[1] : undefined;
    if (version === undefined) return [];
    const path = join(folder, found);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats ? [{ path, version: Number(version), bytes: stats.size, createdAt: stats.mtimeMs }] : [];
  });
}

/** Beside the file itself, also if it was opened through a link. */
function placeOf(file: string): { readonly folder: string; readonly name: string } {
  const path = realpathSync(file);
  return { folder: dirname(path), name: basename(path) };
}

/**
 * Copies an open database file before a migration, and replaces an earlier copy of the same version.
 *
 * @returns the path of the copy; `undefined` if another process has migrated the file meanwhile, and has its own copy.
 */
export async function backUpForMigration(
  file: string,
  connection: SqlTransaction,
  { version, now }: { readonly version: number; readonly now: number },
): Promise<string | undefined> {
  const { folder, name } = placeOf(file);
  const path = join(folder, `${name}.v${version}.backup`);
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await copyTo(draft, connection, file);
    if ((await versionIn(draft)) !== version) return undefined;
    utimesSync(draft, now / 1_000, now / 1_000);
    renameSync(draft, path);
    return path;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function versionIn(file: string): Promise<number> {
  const connection = openForReading(file);
  try {
    return await versionOf(connection, "sqlite");
  } finally {
    connection.close();
  }
}

/**
 * Deletes all copies from before migrations: they contain purged content and unencrypted content.
 *
 * @throws StoreError if one cannot be deleted.
 */
export function removeMigrationBackups(file: string): void {
  try {
    for (const { path } of findMigrationBackups(file)) rmSync(path, { force: true });
  } catch (cause) {
    const message = `Cannot delete copies of ${file} from before a migration (${fileErrorCode(cause)}).`;
    throw new StoreError("read-only", message, { cause, hint: `Delete ${file}.v*.backup.` });
  }
}

/** Deletes copies that are older than {@link BACKUP_DAYS}, as far as that is possible. */
export function removeOldMigrationBackups(file: string, now: number): void {
  try {
    for (const { path, createdAt } of findMigrationBackups(file)) {
      if (now - createdAt > MAX_AGE) rmSync(path, { force: true });
    }
  } catch {
    // The file can be used without it.
  }
}
