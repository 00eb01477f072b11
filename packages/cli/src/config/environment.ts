import { homedir } from "node:os";
import process from "node:process";

/** What decides which settings hold, and where the data is. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export function surroundings(): Surroundings {
  return { platform: process.platform, env: process.env, home: homedir() };
}
