import path from "node:path";
import { UsageError } from "../usage-error.ts";
import { configFile, readConfigFile } from "./config-file.ts";
import { type Surroundings, surroundings } from "./environment.ts";
import {
  DEFAULTS,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingSource,
  type SettingValues,
} from "./settings.ts";

export interface SettingInForce {
  readonly name: SettingName;
  readonly value: unknown;
  readonly source: SettingSource;
}

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** What holds: a flag before the environment, that before the file, that before what holds anyway. */
export function findSettings(flags: SettingValues, around: Surroundings = surroundings()): readonly SettingInForce[] {
  const file = readConfigFile(around);
  const fileName = configFile(around).file;
  for (const name of Object.keys(file)) refuseStranger(name, fileName);
  return SETTING_NAMES.flatMap((name) => {
    const { variable, fromText = (text: string) => text }: Setting = SETTINGS[name];
    const text = around.env[variable]?.trim();
    const candidates = [
      [flags[name], "flag", `--${name.replaceAll("_", "-")}`],
      // A variable that is set to nothing is not set.
      [text ? fromText(text) : undefined, "environment", variable],
      [fromFile(name, file[name], fileName, around), "file", `${name} in ${fileName}`],
      [(DEFAULTS as SettingValues)[name], "default", name],
    ] as const;
    const found = candidates.find(([value]) => value !== undefined);
    return found === undefined ? [] : [{ name, value: check(name, found[0], found[2]), source: found[1] }];
  });
}

/** The same by name. */
export function readSettings(flags: SettingValues = {}, around?: Surroundings): SettingValues {
  return Object.fromEntries(findSettings(flags, around).map(({ name, value }) => [name, value]));
}

function check(name: SettingName, value: unknown, place: string): unknown {
  const { schema, isSecret }: Setting = SETTINGS[name];
  const read = schema.read(value);
  if (read !== undefined) return read;
  const said = isSecret ? "what it says" : JSON.stringify(value);
  throw new UsageError(`${place}: ${said} cannot be meant.`, schema.wanted);
}

/** Wherever a command is started, a path in the file means the same place. */
function fromFile(name: SettingName, value: unknown, fileName: string, { home }: Surroundings): unknown {
  const { isPath }: Setting = SETTINGS[name];
  if (!isPath || typeof value !== "string" || value === "") return value;
  return path.resolve(path.dirname(fileName), value.replace(/^~(?=$|[/\\])/, home));
}

function refuseStranger(name: string, fileName: string): void {
  const known: Setting | undefined = SETTINGS[name as SettingName];
  if (known === undefined || !Object.hasOwn(SETTINGS, name)) {
    const problem = `${fileName} has ${JSON.stringify(name)}, which is no setting.`;
    throw new UsageError(problem, "`throughline config --help` lists all of them.");
  }
  if (known.notInFile !== undefined) throw new UsageError(`${fileName} has ${name}.`, known.notInFile);
}
