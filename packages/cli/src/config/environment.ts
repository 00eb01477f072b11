import { homedir } from "node:os";
import type { PlatformPath } from "node:path";
import path from "node:path";
import process from "node:process";

/** Inputs from the process environment for settings and data locations. */
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

// Folders in which coding agents have their configuration and sessions.

export function claudeFolder(system: Environment): string {
  return system.env.CLAUDE_CONFIG_DIR || pathsOf(system).join(system.home, ".claude");
}

export function codexFolder(system: Environment): string {
  return system.env.CODEX_HOME || pathsOf(system).join(system.home, ".codex");
}

export function geminiFolder(system: Environment): string {
  return pathsOf(system).join(system.env.GEMINI_CLI_HOME || system.home, ".gemini");
}

/** The folder with the configuration of programs, on Linux. */
export function configFolder(system: Environment): string {
  return system.env.XDG_CONFIG_HOME || pathsOf(system).join(system.home, ".config");
}

/**
 * The user's folder of VS Code, or of a program that is derived from it.
 *
 * @param editor Its name, such as `Code` or `VSCodium`
 */
export function editorFolder(system: Environment, editor = "Code"): string {
  const { platform, env, home } = system;
  const path = pathsOf(system);
  if (platform === "darwin") return path.join(home, "Library", "Application Support", editor);
  if (platform === "win32") return path.join(env.APPDATA || path.join(home, "AppData", "Roaming"), editor);
  return path.join(configFolder(system), editor);
}
