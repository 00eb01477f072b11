import path from "node:path";
import { omitUndefined } from "throughline/internal";
import type { Surroundings } from "../config/environment.ts";
import { readSettings } from "../config/read-settings.ts";
import { UsageError } from "../usage-error.ts";

const NAME = "throughline";
const FILE = "throughline.db";

/** The database: in the folder that was asked for, else in the one of the settings, else where the platform keeps data. */
export function dataFile(asked: string | undefined, surroundings: Surroundings): string {
  // An empty name is a variable of a script that was not set: the data must not go where nobody meant it to.
  if (asked === "") throw new UsageError("--data names no folder.", "It takes a folder.");
  const { data = platformFolder(surroundings) } = readSettings(omitUndefined({ data: asked }), surroundings);
  return path.join(path.resolve(data), FILE);
}

function platformFolder({ platform, env, home }: Surroundings): string {
  if (platform === "darwin") return path.join(home, "Library", "Application Support", NAME);
  if (platform === "win32") return path.join(env.LOCALAPPDATA || path.join(home, "AppData", "Local"), NAME);
  const given = env.XDG_DATA_HOME ?? "";
  // The standard wants a relative one to be passed over.
  return path.join(path.isAbsolute(given) ? given : path.join(home, ".local", "share"), NAME);
}
