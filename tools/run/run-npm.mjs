import { basename } from "node:path";
import { run } from "./run.mjs";

/**
 * Runs npm with the current Node, whatever Node the npm command itself would choose.
 *
 * @param {string[]} args
 * @param {import("./run.mjs").RunOptions} [options]
 */
export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath;
  // Other package managers (pnpm start) set this too, but cannot read our lock file.
  if (npm && basename(npm).startsWith("npm")) return run(process.execPath, [npm, ...args], options);
  // On Windows npm is a command file, which only a shell can run.
  return run("npm", args, { ...options, shell: process.platform === "win32" });
}
