import { randomUUID } from "node:crypto";
import { readdirSync, realpathSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StoreError } from "../../errors/store-errors.ts";
import { versionOf } from "../sql/migrate.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import { copyTo } from "./backup-sqlite.ts";
import { openForReading } from "./open-database.ts";
import { fileErrorCode } from "./sqlite-error.ts";

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
 * Deletes all copies from before migrations: they contain what a purge erases, and what an encryption hides.
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
