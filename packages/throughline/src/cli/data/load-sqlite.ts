import { homedir } from "node:os";
import process from "node:process";
import { readConfigFile } from "../config/config-file.ts";

/** What keeps the data, loaded when it is first needed: commands that keep nothing start without it. */
export async function loadSqlite() {
  takeExperimentalWarning();
  return import("../../store/sqlite/sqlite.ts");
}

/** The key that content is sealed with: that of the environment, else that of the file that the settings name. */
export async function findEncryptionKey(): Promise<Uint8Array | undefined> {
  const { readEncryptionKey } = await loadSqlite();
  const { platform, env } = process;
  const key = readEncryptionKey({ env });
  if (key !== undefined) return key;
  const { encryption_key_file: file } = readConfigFile({ platform, env, home: homedir() });
  return typeof file === "string" ? readEncryptionKey({ file }) : undefined;
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
