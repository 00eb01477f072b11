import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { DataOptions } from "../data/open-data.ts";

/**
 * How an agent calls us, as a list: by our name where we are installed for all programs, else by our path. A folder that
 * a package manager adds for a moment is not there when the agent looks.
 *
 * @param hasShell whether a shell is between us: on Windows, only a shell finds us by our name
 */
export function ourProgram({ data }: DataOptions, hasShell = true): readonly string[] {
  const isFound = isOnPath() && (hasShell || process.platform !== "win32");
  const program = isFound ? ["throughline"] : [process.execPath, ourselves()];
  return data === undefined ? program : [...program, "--data", path.resolve(data)];
}

/** The same as one line for a shell. */
export function inShell(program: readonly string[]): string {
  return program.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word))).join(" ");
}

/** In double quotes, which shells of Unix and of Windows know. */
function quote(word: string): string {
  return `"${process.platform === "win32" ? word : word.replaceAll(/["$\\`]/g, "\\$&")}"`;
}

function ourselves(): string {
  return realpathSync(process.argv[1] ?? "");
}

/** Whether a copy that npx brought along runs, which may be gone tomorrow. */
export function isPassing(): boolean {
  return !isOnPath() && /[\\/]_npx[\\/]/.test(ourselves());
}

function isOnPath(): boolean {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const names = process.platform === "win32" ? ["throughline.cmd", "throughline.exe"] : ["throughline"];
  return folders
    .filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .some((folder) => names.some((name) => isProgram(path.join(folder, name))));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
