import { accessSync, constants, existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "../../errors/store-error.ts";
import { Connection } from "./connection.ts";
import { fileErrorCode } from "./file-error-code.ts";
import { holdFile } from "./held-file.ts";
import { APPLICATION_ID, inspectFile } from "./inspect-file.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { noteLogOwner } from "./log-owner.ts";

/** So long the process stands still for a lock; whoever needs more waits without blocking it. */
const BLOCKING_WAIT = 20;

export interface OpenOptions {
  /**
   * `normal`: what was acknowledged survives the end of the process, however it came. `full`: it survives a power cut
   * too, and each write waits for the disk.
   */
  readonly synchronous?: "normal" | "full";
  /** Nobody else has the file open from now on until it is closed; `busy` where somebody has. */
  readonly isAlone?: boolean;
  /** The file does not grow beyond so many pages of 4 KiB. */
  readonly maxPages?: number;
}

/**
 * Opens a file, which is created where there is none, or a database in memory.
 *
 * @throws StoreError where the file is not ours; then it is as it was.
 */
export function openForWriting(path: string, options: OpenOptions): Connection {
  const { DatabaseSync } = loadSqlite();
  // As an absolute path, so that no name means something else to SQLite.
  const file = path === ":memory:" ? undefined : resolve(path);
  const found = file === undefined ? "absent" : inspectFile(file);
  if (file !== undefined && found === "ours" && isOnReadOnlyFileSystem(file)) return openUnchangeable(file);
  const database = new DatabaseSync(file ?? path);
  return configured(database, file, () => {
    if (options.isAlone) database.exec("PRAGMA locking_mode = EXCLUSIVE");
    if (options.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    // A new file has no mark, nor has one whose beginning SQLite has just taken back because its creator was killed.
    // It gets one before there is a log, so that the mark is in the file itself from the beginning.
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

/** Opens a file that nobody can write to. Without a log nobody has it open, so SQLite needs no shared memory beside it. */
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
        hint: "Copy both files to a folder that can be written to.",
      });
    }
  }
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return configured(new DatabaseSync(url, { readOnly: true }), file, () => undefined);
}

/** Opens a file that is there and writes nothing to it. */
export function openForReading(path: string): Connection {
  const { DatabaseSync } = loadSqlite();
  const file = resolve(path);
  if (inspectFile(file) === "absent") throw new StoreError("unavailable", `There is no database at ${path}.`);
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
    return new Connection(database, file === undefined ? undefined : holdFile(file));
  } catch (error) {
    database.close();
    throw error;
  }
}
