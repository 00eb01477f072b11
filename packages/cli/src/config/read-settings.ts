import { readFileSync } from "node:fs";
import path from "node:path";
import { isRecord } from "throughline/internal/util";
import { UsageError } from "../usage-error.ts";
import { type Environment, environment, pathsOf } from "./environment.ts";
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

const NAME = "throughline";
const FILE = "config.json";
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EACCES"]);

/** The settings file: from THROUGHLINE_CONFIG, or in the platform's configuration folder. */
export function configFile(environment: Environment): { readonly file: string; readonly isNamed: boolean } {
  const { env } = environment;
  const path = pathsOf(environment);
  if (env.THROUGHLINE_CONFIG) return { file: path.resolve(env.THROUGHLINE_CONFIG), isNamed: true };
  return { file: path.join(platformFolder(environment), NAME, FILE), isNamed: false };
}

function platformFolder(environment: Environment): string {
  const { platform, env, home } = environment;
  const path = pathsOf(environment);
  if (platform === "darwin") return path.join(home, "Library", "Application Support");
  if (platform === "win32") return env.APPDATA || path.join(home, "AppData", "Roaming");
  const given = env.XDG_CONFIG_HOME ?? "";
  return path.isAbsolute(given) ? given : path.join(home, ".config");
}

/** The content of the settings file; empty if the default file does not exist. */
function readConfigFile(environment: Environment): Readonly<Record<string, unknown>> {
  const { file, isNamed } = configFile(environment);
  const text = readText(file, isNamed);
  if (text === undefined) return {};
  const value = parse(text, file);
  if (!isRecord(value))
    throw new UsageError(
      `${file} is not a settings file: expected one JSON object.`,
      'Write it like this: { "port": 4870 }.',
    );
  return value;
}

function readText(file: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    // The default file is optional: ignore it if it is missing or not accessible.
    if (!isNamed && ABSENT.has(code)) return undefined;
    throw new UsageError(
      `Could not read the settings in ${file} (${code}).`,
      isNamed
        ? "THROUGHLINE_CONFIG names this file: correct the path, or unset the variable."
        : "Correct its permissions, or delete it.",
    );
  }
}

function parse(text: string, file: string): unknown {
  try {
    // Some editors write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // Only the position: the parser's message quotes the file, which may contain a key.
    const place = /line \d+ column \d+/.exec(String(error))?.[0];
    throw new UsageError(
      `${file} is not valid JSON${place === undefined ? "" : ` (${place})`}.`,
      "Correct it, or delete it to use the defaults.",
    );
  }
}
