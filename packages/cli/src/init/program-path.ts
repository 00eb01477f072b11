import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { DataOptions } from "../data/open-data.ts";

/**
 * The command line that an agent uses, as a list: the name of the program if it is installed globally, otherwise its
 * path. Folders that a package manager adds to PATH temporarily do not count.
 *
 * @param hasShell true if a shell runs it: on Windows, only a shell finds the program by name
 */
export function programCommand({ data }: DataOptions, hasShell = true): readonly string[] {
  const isFound = isOnPath() && (hasShell || process.platform !== "win32");
  const program = isFound ? ["throughline"] : [process.execPath, ourselves()];
  return data === undefined ? program : [...program, "--data", path.resolve(data)];
}

/** The same as one line for a shell. */
export function shellLine(program: readonly string[]): string {
  return program.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word))).join(" ");
}

/** In double quotes, which Unix and Windows shells support. */
function quote(word: string): string {
  return `"${process.platform === "win32" ? word : word.replaceAll(/["$\\`]/g, "\\$&")}"`;
}

function ourselves(): string {
  return realpathSync(process.argv[1] ?? "");
}

/** True if this is a temporary npx copy. */
export function isTemporaryInstall(): boolean {
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
