import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * A hash over names and contents; missing files count as missing.
 *
 * @param {string} folder the names are relative to it
 * @param {string[]} files
 * @param {string[]} [more] further inputs
 */
export function fingerprint(folder, files, more = []) {
  const hash = createHash("sha256");
  for (const file of [...files].sort()) {
    const content = existsSync(file) ? readFileSync(file) : undefined;
    hash.update(`${relative(folder, file).split(sep).join("/")}\n${content?.length ?? "missing"}\n`);
    if (content) hash.update(content);
  }
  for (const text of more) hash.update(`${text}\n`);
  return hash.digest("hex");
}

/**
 * @param {string} folder
 * @returns {string[]} all files below it
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/**
 * @param {string} stamp
 * @param {string} print
 */
export function isStampedWith(stamp, print) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === print;
}
