import { omitUndefined } from "throughline/internal/util";
import type { Environment } from "../config/environment.ts";
import { resolveSettings } from "../config/read-settings.ts";
import { SETTING_SOURCES, type SettingName } from "../config/settings.ts";
import { dataFile } from "./data-folder.ts";

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
  // If a password is not URL-encoded, a part of it would appear in the path.
  if (parsed === null || parsed.host === "" || parsed.pathname.includes("@")) return "a PostgreSQL database";
  return `PostgreSQL at ${parsed.host}${parsed.pathname}`;
}
