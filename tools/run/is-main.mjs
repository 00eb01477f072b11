import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * True if a module was started, not imported.
 *
 * @param {string} url its import.meta.url
 */
export function isMain(url) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(url);
}
