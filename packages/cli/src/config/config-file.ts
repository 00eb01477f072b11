import { readFileSync } from "node:fs";
import { isRecord } from "throughline/internal/util";
import { UsageError } from "../usage-error.ts";
import { type Environment, pathsOf } from "./environment.ts";

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
export function readConfigFile(environment: Environment): Readonly<Record<string, unknown>> {
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
