import { homedir } from "node:os";
import process from "node:process";
import type { Surroundings } from "../data/data-folder.ts";
import { UsageError } from "../usage-error.ts";
import { configFile, readConfigFile } from "./config-file.ts";
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

export function surroundings(): Surroundings {
  return { platform: process.platform, env: process.env, home: homedir() };
}

/** What holds: a flag before the environment, that before the file, that before what holds anyway. */
export function findSettings(flags: SettingValues, around: Surroundings = surroundings()): readonly SettingInForce[] {
  const file = readConfigFile(around);
  refuseUnknown(file, around);
  return SETTING_NAMES.flatMap((name) => {
    const { variable, fromText = (text: string) => text }: Setting = SETTINGS[name];
    const text = around.env[variable]?.trim();
    const candidates = [
      [flags[name], "flag", name],
      // A variable that is set to nothing is not set.
      [text ? fromText(text) : undefined, "environment", variable],
      [file[name], "file", `${name} in ${configFile(around).file}`],
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
  const { schema, description, isSecret }: Setting = SETTINGS[name];
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const said = isSecret ? "" : ` ${JSON.stringify(value)}`;
  throw new UsageError(`${place}:${said} cannot be meant.`, `It is ${description}: ${read.error.issues[0]?.message}.`);
}

function refuseUnknown(file: Readonly<Record<string, unknown>>, around: Surroundings): void {
  const unknown = Object.keys(file).find((name) => !SETTING_NAMES.includes(name as SettingName));
  if (unknown === undefined) return;
  throw new UsageError(
    `${configFile(around).file} has ${JSON.stringify(unknown)}, which is no setting.`,
    "`throughline config` lists all of them.",
  );
}
