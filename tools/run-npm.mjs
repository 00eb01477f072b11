import { basename } from "node:path";
import { run } from "./run.mjs";

/**
 * Runs npm under the Node that runs us, whatever Node the npm command itself would choose.
 *
 * @param {string[]} args
 * @param {import("./run.mjs").RunOptions} [options]
 */
export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath;
  // Another package manager (pnpm start) names itself here: it does not know our lock file.
  if (npm && basename(npm).startsWith("npm")) return run(process.execPath, [npm, ...args], options);
  // On Windows npm is a command file, and only a shell runs those.
  return run("npm", args, { ...options, shell: process.platform === "win32" });
}
