import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";

/**
 * The script behind a command of an installed package. Started with the current Node, it needs neither PATH nor a
 * shell.
 *
 * @param {string} packageName
 * @param {string} [command]
 */
export function findBin(packageName, command = packageName) {
  const folder = join(root, "node_modules", packageName);
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const script = typeof bin === "string" ? bin : bin[command];
  if (!script) throw new Error(`${packageName} has no command ${command}`);
  return join(folder, script);
}
