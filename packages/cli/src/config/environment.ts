import { homedir } from "node:os";
import path, { type PlatformPath } from "node:path";
import process from "node:process";

/** The parts of the process environment that settings and data locations depend on. */
export interface Environment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The path functions of a platform. */
export function pathsOf({ platform }: Pick<Environment, "platform">): PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}

export function environment(): Environment {
  return { platform: process.platform, env: process.env, home: homedir() };
}
