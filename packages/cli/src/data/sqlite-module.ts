import process from "node:process";
import { readEncryptionKey } from "throughline/sqlite";
import { readSettings } from "../config/read-settings.ts";

/** Loads the SQLite store on first use, so that commands without data start faster. */
export async function loadSqlite() {
  takeExperimentalWarning();
  return import("throughline/sqlite");
}

/** The encryption key: from the environment, or from the file in the settings. */
export function findEncryptionKey(): Uint8Array | undefined {
  // An empty variable is an error here, and is not ignored.
  const key = readEncryptionKey({ env: process.env });
  if (key !== undefined) return key;
  const { encryption_key_file: file } = readSettings();
  return file === undefined ? undefined : readEncryptionKey({ file });
}

/** Older Node versions warn that SQLite is experimental; users of the command line cannot act on that. */
function takeExperimentalWarning(): void {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
