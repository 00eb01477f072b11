import { omitUndefined } from "throughline/internal/util";
import { type Environment, pathsOf } from "../config/environment.ts";
import { readSettings } from "../config/read-settings.ts";
import { UsageError } from "../usage-error.ts";

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
  // The XDG specification says to ignore relative paths.
  return path.join(path.isAbsolute(given) ? given : path.join(home, ".local", "share"), NAME);
}
