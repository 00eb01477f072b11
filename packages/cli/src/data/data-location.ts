import process from "node:process";
import { omitUndefined } from "throughline/internal/util";
import { readEncryptionKey } from "throughline/sqlite";
import { type Environment, pathsOf } from "../config/environment.ts";
import { readSettings, resolveSettings } from "../config/read-settings.ts";
import { SETTING_SOURCES, type SettingName } from "../config/settings.ts";
import { UsageError } from "../usage-error.ts";

/** The location of the data. */
export interface DataLocation {
  /** Path of the file, or the name of the database without secrets. */
  readonly file: string;
  /** Set if a database is used instead of a file. */
  readonly databaseUrl?: string;
}

/**
 * The file or database to use. If both are set, the stronger source wins; at the same level, the database. So `--data`
 * always means a folder.
 */
export function dataLocation(flag: string | undefined, environment: Environment): DataLocation {
  const file = dataFile(flag, environment);
  const inForce = resolveSettings(omitUndefined({ data: flag }), environment);
  const find = (name: SettingName) => inForce.find((one) => one.name === name);
  const [folder, database] = [find("data"), find("database_url")];
  if (database === undefined) return { file };
  const rank = ({ source }: { readonly source: (typeof SETTING_SOURCES)[number] }) => SETTING_SOURCES.indexOf(source);
  if (folder !== undefined && rank(folder) < rank(database)) return { file };
  const databaseUrl = String(database.value);
  return { file: nameOf(databaseUrl), databaseUrl };
}

/** The printable part of a database URL: without user, password and parameters. */
function nameOf(url: string): string {
  const parsed = URL.parse(url);
  // Part of a password that is not URL-encoded would appear in the path.
  if (parsed === null || parsed.host === "" || parsed.pathname.includes("@")) return "a PostgreSQL database";
  return `PostgreSQL at ${parsed.host}${parsed.pathname}`;
}

const NAME = "throughline";
const FILE = "throughline.db";

/** The database file: in the given folder, in the folder of the settings, or in the platform's data folder. */
export function dataFile(flag: string | undefined, environment: Environment): string {
  // An empty value usually comes from an unset variable in a script: do not write to an unintended folder.
  if (flag === "") throw new UsageError("--data is empty.", "Give the path of a folder.");
  const { data = platformFolder(environment) } = readSettings(omitUndefined({ data: flag }), environment);
  const path = pathsOf(environment);
  return path.join(path.resolve(data), FILE);
}

function platformFolder(environment: Environment): string {
  const { platform, env, home } = environment;
  const path = pathsOf(environment);
  if (platform === "darwin") return path.join(home, "Library", "Application Support", NAME);
  if (platform === "win32") return path.join(env.LOCALAPPDATA || path.join(home, "AppData", "Local"), NAME);
  const given = env.XDG_DATA_HOME ?? "";
  // The XDG specification requires that relative paths are ignored.
  return path.join(path.isAbsolute(given) ? given : path.join(home, ".local", "share"), NAME);
}

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
