import { accessSync, constants, existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "../../errors/store-errors.ts";
import { Connection } from "./connection.ts";
import { APPLICATION_ID, inspectFile, noteLogOwner, registerOpenFile } from "./database-file.ts";
import { fileErrorCode } from "./sqlite-error.ts";

/** Milliseconds to block the process for a lock; longer waits do not block. */
const BLOCKING_WAIT = 20;

export interface OpenOptions {
  /**
   * `normal`: acknowledged writes survive a crash of the process. `full`: they also survive a power loss, but each
   * write waits for the disk. Default: `normal`.
   */
  readonly synchronous?: "normal" | "full";
  /** Locks the file exclusively until it is closed; `busy` if another process has it open. */
  readonly isAlone?: boolean;
  /** Maximum size of the file in 4 KiB pages. */
  readonly maxPages?: number;
}

/**
 * Opens a file, which is created if missing, or a database in memory.
 *
 * @throws StoreError if the file is not a Throughline database; it is unchanged then.
 */
export function openForWriting(path: string, options: OpenOptions): Connection {
  const { DatabaseSync } = loadSqlite();
  // An absolute path, so that SQLite does not interpret special names.
  const file = path === ":memory:" ? undefined : resolve(path);
  const found = file === undefined ? "absent" : inspectFile(file);
  if (file !== undefined && found === "ours" && isOnReadOnlyFileSystem(file)) return openUnchangeable(file);
  const database = new DatabaseSync(file ?? path);
  return configured(database, file, () => {
    if (options.isAlone) database.exec("PRAGMA locking_mode = EXCLUSIVE");
    if (options.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    // A new file has no application id, nor has one whose creation was rolled back because its creator was killed. The
    // id is set before there is a log, so that it is in the file itself from the start.
    const { application_id: mark } = database.prepare("PRAGMA application_id").get() ?? {};
    if (mark === 0) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${options.synchronous ?? "normal"};
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
    `);
    if (file === undefined) return;
    // The first read opens the log.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    noteLogOwner(file);
  });
}

function isOnReadOnlyFileSystem(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return fileErrorCode(error) === "EROFS";
  }
}

/**
 * Opens a file on a read-only file system. Without a log no other process has it open, so SQLite needs no shared
 * memory.
 */
function openUnchangeable(file: string): Connection {
  const { DatabaseSync } = loadSqlite();
  if (existsSync(`${file}-wal`)) {
    try {
      return configured(new DatabaseSync(file, { readOnly: true }), file, (database) => {
        database.prepare("SELECT count(*) FROM sqlite_schema").get();
      });
    } catch (cause) {
      const message = `${file} is on a read-only file system, and its log (-wal) cannot be read there.`;
      throw new StoreError("read-only", message, {
        cause,
        hint: "Copy both files to a writable folder.",
      });
    }
  }
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return configured(new DatabaseSync(url, { readOnly: true }), file, () => undefined);
}

/**
 * Opens an existing file without writing to it.
 *
 * @param path Database file.
 * @throws StoreError if there is no database.
 *
 * @example
 * const connection = openForReading("sessions.db");
 */
export function openForReading(path: string): Connection {
  const { DatabaseSync } = loadSqlite();
  const file = resolve(path);
  if (inspectFile(file) === "absent") throw new StoreError("unavailable", `No database at ${path}.`);
  if (isOnReadOnlyFileSystem(file)) return openUnchangeable(file);
  const database = new DatabaseSync(file, { readOnly: true });
  return configured(database, file, () => undefined);
}

function configured(
  database: DatabaseSync,
  file: string | undefined,
  configure: (database: DatabaseSync) => void,
): Connection {
  try {
    database.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT}`);
    configure(database);
    return new Connection(database, file === undefined ? undefined : registerOpenFile(file));
  } catch (error) {
    database.close();
    throw error;
  }
}

type Sqlite = typeof import("node:sqlite");

/**
 * Loads Node's SQLite on first use, so that importing this module works on older Node versions.
 *
 * @throws StoreError `unsupported`
 */
function loadSqlite(): Sqlite {
  const sqlite: Sqlite | undefined = process.getBuiltinModule?.("node:sqlite");
  if (sqlite === undefined) {
    throw new StoreError("unsupported", `SQLite needs Node 22.13 or later; this is Node ${process.versions.node}.`);
  }
  return sqlite;
}
