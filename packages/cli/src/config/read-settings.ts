import path from "node:path";
import { UsageError } from "../usage-error.ts";
import { configFile, readConfigFile } from "./config-file.ts";
import { type Environment, environment } from "./environment.ts";
import {
  DEFAULTS,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingSource,
  type SettingValues,
} from "./settings.ts";

export interface ResolvedSetting {
  readonly name: SettingName;
  readonly value: unknown;
  readonly source: SettingSource;
}

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Resolves all settings. Flags override the environment, which overrides the file, which overrides the defaults. */
export function resolveSettings(flags: SettingValues, system: Environment = environment()): readonly ResolvedSetting[] {
  const file = readConfigFile(system);
  const fileName = configFile(system).file;
  for (const name of Object.keys(file)) refuseStranger(name, fileName);
  return SETTING_NAMES.flatMap((name) => {
    const { variable, fromText = (text: string) => text }: Setting = SETTINGS[name];
    const text = system.env[variable]?.trim();
    const candidates = [
      [flags[name], "flag", `--${name.replaceAll("_", "-")}`],
      // An empty variable counts as not set.
      [text ? fromText(text) : undefined, "environment", variable],
      [fromFile(name, file[name], fileName, system), "file", `${name} in ${fileName}`],
      [(DEFAULTS as SettingValues)[name], "default", name],
    ] as const;
    const found = candidates.find(([value]) => value !== undefined);
    return found === undefined ? [] : [{ name, value: check(name, found[0], found[2]), source: found[1] }];
  });
}

/** The resolved values by name. */
export function readSettings(flags: SettingValues = {}, system?: Environment): SettingValues {
  return Object.fromEntries(resolveSettings(flags, system).map(({ name, value }) => [name, value]));
}

function check(name: SettingName, value: unknown, place: string): unknown {
  const { schema, isSecret }: Setting = SETTINGS[name];
  const read = schema.read(value);
  if (read !== undefined) return read;
  const got = isSecret ? "" : `got ${JSON.stringify(value)}, `;
  throw new UsageError(
    `Invalid ${place}: ${got}expected ${schema.wanted}.`,
    "`throughline config --help` lists every setting.",
  );
}

/** Relative paths in the file start at its folder, regardless of the current one. */
function fromFile(name: SettingName, value: unknown, fileName: string, { home }: Environment): unknown {
  const { isPath }: Setting = SETTINGS[name];
  if (!isPath || typeof value !== "string" || value === "") return value;
  return path.resolve(path.dirname(fileName), value.replace(/^~(?=$|[/\\])/, home));
}

function refuseStranger(name: string, fileName: string): void {
  const known: Setting | undefined = SETTINGS[name as SettingName];
  if (known === undefined || !Object.hasOwn(SETTINGS, name)) {
    const problem = `Unknown setting ${JSON.stringify(name)} in ${fileName}.`;
    throw new UsageError(problem, "`throughline config --help` lists every setting.");
  }
  if (known.notInFile !== undefined)
    throw new UsageError(`The setting ${name} is not allowed in ${fileName}.`, known.notInFile);
}
