import { open } from "node:fs/promises";
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { APPLICATION_ID, toStoreError } from "throughline/internal";
import { loadSqlite } from "../data/sqlite-module.ts";
import { InputError } from "../input-error.ts";
import { UsageError } from "../usage-error.ts";

/** Milliseconds to wait where the program whose file it is writes to it. */
const PATIENCE = 5_000;

/** Works on another program's SQLite file, of which nothing is changed. */
export async function withLegacyDatabase<T>(file: string, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
  await checkReadable(file);
  await loadSqlite();
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
    refuseOurs(file, database);
    return await work(database);
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    database.close();
  }
}

/** SQLite's own words for a file that is not there would help nobody. */
async function checkReadable(file: string): Promise<void> {
  try {
    const handle = await open(file);
    try {
      if ((await handle.stat()).isDirectory()) throw new UsageError(`${file} is a folder.`, "--from takes a file.");
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
      if (bytesRead > 0 && buffer.toString("latin1") !== "SQLite format 3\0") {
        throw new UsageError(`${file} is no SQLite database.`, "--from takes the database that holds the messages.");
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof UsageError ? error : new InputError(file, error);
  }
}

function refuseOurs(file: string, database: DatabaseSync): void {
  const row = database.prepare("PRAGMA application_id").get();
  if (row?.application_id !== APPLICATION_ID) return;
  throw new UsageError(
    `${file} is a database of Throughline itself.`,
    "--from takes another program's; name a folder of Throughline's own with --data.",
  );
}
