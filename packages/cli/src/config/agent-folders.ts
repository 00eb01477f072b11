import { type Environment, pathsOf } from "./environment.ts";

// Folders in which coding agents have their configuration and sessions.

export function claudeFolder(around: Environment): string {
  return around.env.CLAUDE_CONFIG_DIR || pathsOf(around).join(around.home, ".claude");
}

export function codexFolder(around: Environment): string {
  return around.env.CODEX_HOME || pathsOf(around).join(around.home, ".codex");
}

export function geminiFolder(around: Environment): string {
  return pathsOf(around).join(around.env.GEMINI_CLI_HOME || around.home, ".gemini");
}

/** The folder with the configuration of programs, on Linux. */
export function configFolder(around: Environment): string {
  return around.env.XDG_CONFIG_HOME || pathsOf(around).join(around.home, ".config");
}

/**
 * The user's folder of VS Code, or of a program that is derived from it.
 *
 * @param editor Its name, such as `Code` or `VSCodium`
 */
export function editorFolder(around: Environment, editor = "Code"): string {
  const { platform, env, home } = around;
  const path = pathsOf(around);
  if (platform === "darwin") return path.join(home, "Library", "Application Support", editor);
  if (platform === "win32") return path.join(env.APPDATA || path.join(home, "AppData", "Roaming"), editor);
  return path.join(configFolder(around), editor);
}
