import { omitUndefined } from "throughline/internal";
import type { Surroundings } from "../config/environment.ts";
import { findSettings } from "../config/read-settings.ts";
import { SETTING_SOURCES, type SettingName } from "../config/settings.ts";
import { dataFile } from "./data-folder.ts";

/** Where the data is. */
export interface DataPlace {
  /** The path of the file; of a database its name, without a secret. */
  readonly file: string;
  /** The database that takes the place of the file. */
  readonly databaseUrl?: string;
}

/**
 * The file, or the database that is set: of the folder and the database, the one that comes from the stronger source
 * holds, and the database where both come from the same. So `--data` names a folder whatever is set.
 */
export function dataPlace(asked: string | undefined, surroundings: Surroundings): DataPlace {
  const file = dataFile(asked, surroundings);
  const inForce = findSettings(omitUndefined({ data: asked }), surroundings);
  const find = (name: SettingName) => inForce.find((one) => one.name === name);
  const [folder, database] = [find("data"), find("database_url")];
  if (database === undefined) return { file };
  const rank = ({ source }: { readonly source: (typeof SETTING_SOURCES)[number] }) => SETTING_SOURCES.indexOf(source);
  if (folder !== undefined && rank(folder) < rank(database)) return { file };
  const databaseUrl = String(database.value);
  return { file: nameOf(databaseUrl), databaseUrl };
}

/** What may be shown of it: neither who connects, nor with which password, nor its parameters. */
function nameOf(url: string): string {
  const parsed = URL.parse(url);
  // Of a password that is not written as URLs want it, a part would stand in the path.
  if (parsed === null || parsed.host === "" || parsed.pathname.includes("@")) return "a PostgreSQL database";
  return `PostgreSQL at ${parsed.host}${parsed.pathname}`;
}
