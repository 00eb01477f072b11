import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { StoreError } from "../../errors/store-error.ts";
import { fileErrorCode } from "./file-error-code.ts";
import { openForReading } from "./open-database.ts";
import { toStoreError } from "./sqlite-error.ts";
import { whileBusy } from "./while-busy.ts";

const PATIENCE = 10_000;

/**
 * Copies a database as it is at one moment, while other processes go on writing to it.
 *
 * @throws InvalidOptionError where something is at `target` already
 * @throws StoreError where the file is not ours, or where the copy cannot be written; then no copy is left behind
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  const file = claim(target);
  try {
    await whileBusy(() => copy(path, target), PATIENCE);
    fsyncSync(file);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Makes the file, empty, so that nobody else can. */
function claim(target: string): number {
  try {
    return openSync(target, "wx");
  } catch (cause) {
    const code = fileErrorCode(cause);
    if (code === "EEXIST") throw new InvalidOptionError("target", target, "the path of a file that is not there yet");
    throw new StoreError("read-only", `${target} cannot be written (${code}).`, { cause });
  }
}

async function copy(path: string, target: string): Promise<void> {
  try {
    const connection = openForReading(path);
    try {
      await connection.run("VACUUM INTO ?", [resolve(target)]);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreError(error, path);
  }
}
