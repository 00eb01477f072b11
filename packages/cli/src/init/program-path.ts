import { accessSync, constants, realpathSync } from "node:fs";
import process from "node:process";
import { type Environment, pathsOf } from "../config/environment.ts";
import type { DataOptions } from "../data/open-data.ts";

/** The running program, and how to check whether a file can be started. */
interface Program extends Pick<Environment, "platform" | "env"> {
  readonly node: string;
  readonly script: string;
  readonly isExecutable: (file: string) => boolean;
}

function runningProgram(): Program {
  const { platform, env, execPath: node, argv } = process;
  // `node --eval` has no script.
  return { platform, env, node, script: argv[1] === undefined ? "" : realpathSync(argv[1]), isExecutable };
}

/**
 * The command line that an agent uses, as a list: the name of the program if it is installed globally, otherwise its
 * path. Folders that a package manager adds to PATH temporarily do not count.
 *
 * @param hasShell true if a shell runs it: on Windows, only a shell finds `throughline.cmd` by name
 */
export function programCommand({ data }: DataOptions, hasShell = true, running = runningProgram()): readonly string[] {
  const isFound = isOnPath(running) && (hasShell || running.platform !== "win32");
  const program = isFound ? ["throughline"] : [running.node, running.script];
  return data === undefined ? program : [...program, "--data", pathsOf(running).resolve(data)];
}

/**
 * The same command as one line for a shell. Windows paths get `/`: agents may run commands in cmd, PowerShell or Git
 * Bash, and Git Bash reads a backslash as an escape.
 */
export function shellLine(program: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return program
    .map((word) => (platform === "win32" ? word.replaceAll("\\", "/") : word))
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word, platform)))
    .join(" ");
}

/** In double quotes, which Unix and Windows shells support. */
function quote(word: string, platform: NodeJS.Platform): string {
  return `"${platform === "win32" ? word : word.replaceAll(/["$\\`]/g, "\\$&")}"`;
}

/** True if this is a temporary npx copy. */
export function isTemporaryInstall(running = runningProgram()): boolean {
  return !isOnPath(running) && /[\\/]_npx[\\/]/.test(running.script);
}

function isOnPath(running: Program): boolean {
  const path = pathsOf(running);
  const folders = (running.env.PATH ?? running.env.Path ?? "").split(path.delimiter);
  const names = running.platform === "win32" ? ["throughline.cmd", "throughline.exe"] : ["throughline"];
  return folders
    .filter((folder) => path.isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .some((folder) => names.some((name) => running.isExecutable(path.join(folder, name))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
