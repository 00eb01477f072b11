import process from "node:process";
import { readEncryptionKey } from "throughline/sqlite";
import { readSettings } from "../config/read-settings.ts";

/** What keeps the data, loaded when it is first needed: commands that keep nothing start without it. */
export async function loadSqlite() {
  takeExperimentalWarning();
  return import("throughline/sqlite");
}

/** The key that content is sealed with: that of the environment, else that of the file that the settings name. */
export function findEncryptionKey(): Uint8Array | undefined {
  // Of the variables, an empty one is refused and not passed over.
  const key = readEncryptionKey({ env: process.env });
  if (key !== undefined) return key;
  const { encryption_key_file: file } = readSettings();
  return file === undefined ? undefined : readEncryptionKey({ file });
}

/** Older versions of Node say once that SQLite is an experiment there; a user of the command line cannot act on it. */
function takeExperimentalWarning(): void {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
