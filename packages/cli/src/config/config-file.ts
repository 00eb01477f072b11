import { readFileSync } from "node:fs";
import path from "node:path";
import { isRecord } from "throughline/internal";
import { UsageError } from "../usage-error.ts";
import type { Surroundings } from "./environment.ts";

const NAME = "throughline";
const FILE = "config.json";
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EACCES"]);

/** The file of settings: the one that THROUGHLINE_CONFIG names, else where the platform keeps such files. */
export function configFile({ platform, env, home }: Surroundings): {
  readonly file: string;
  readonly isNamed: boolean;
} {
  if (env.THROUGHLINE_CONFIG) return { file: path.resolve(env.THROUGHLINE_CONFIG), isNamed: true };
  return { file: path.join(platformFolder({ platform, env, home }), NAME, FILE), isNamed: false };
}

function platformFolder({ platform, env, home }: Surroundings): string {
  if (platform === "darwin") return path.join(home, "Library", "Application Support");
  if (platform === "win32") return env.APPDATA || path.join(home, "AppData", "Roaming");
  const given = env.XDG_CONFIG_HOME ?? "";
  return path.isAbsolute(given) ? given : path.join(home, ".config");
}

/** What the file says; nothing where it is not there and nobody named it. */
export function readConfigFile(surroundings: Surroundings): Readonly<Record<string, unknown>> {
  const { file, isNamed } = configFile(surroundings);
  const text = readText(file, isNamed);
  if (text === undefined) return {};
  const value = parse(text, file);
  if (!isRecord(value))
    throw new UsageError(`${file} holds no settings.`, 'It takes one JSON object: { "port": 4870 }.');
  return value;
}

function readText(file: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    // Nobody spoke of it: where it is not there, or in a place that this user may not look at, there is none.
    if (!isNamed && ABSENT.has(code)) return undefined;
    throw new UsageError(
      `${file} cannot be read (${code}).`,
      isNamed ? "THROUGHLINE_CONFIG names it." : "Take it away.",
    );
  }
}

function parse(text: string, file: string): unknown {
  try {
    // Some editors put a mark before the first letter.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // No more of what the parser says: it repeats what stands there, and that may be a key.
    const place = /line \d+ column \d+/.exec(String(error))?.[0];
    throw new UsageError(
      `${file} is no JSON${place === undefined ? "" : ` (${place})`}.`,
      "Correct it, or take it away.",
    );
  }
}
