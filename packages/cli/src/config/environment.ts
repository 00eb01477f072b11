import { homedir } from "node:os";
import process from "node:process";

/** The parts of the process environment that settings and data locations depend on. */
export interface Environment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export function environment(): Environment {
  return { platform: process.platform, env: process.env, home: homedir() };
}
