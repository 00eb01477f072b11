import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain } from "./run/is-main.mjs";
import { log } from "./run/log.mjs";
import { root } from "./run/paths.mjs";
import { runNpm } from "./run/run-npm.mjs";

/**
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {boolean} [link]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * A registry that lacks the binaries of other platforms makes npm write a lock file without them, and `npm ci` then
 * rejects that file on every machine. This adds the missing entries: exact versions, not installed on other platforms.
 *
 * @param {Record<string, Locked>} packages by their folders; changed in place
 * @returns {string[]} the folders added
 */
export function completeLock(packages) {
  /** @type {string[]} */
  const added = [];
  for (const [folder, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name);
      if (!platform || find(packages, folder, name)?.version === version) continue;
      const place = freePlace(packages, folder, name);
      packages[place] = { version, ...platform, ...(entry.dev && { dev: true }), optional: true };
      added.push(place);
    }
  }
  return added;
}

/**
 * Adds missing checksums, as far as the registry knows them.
 *
 * @param {Record<string, Locked>} packages by their folders; changed in place
 * @param {(spec: string) => Promise<string | undefined>} ask for the checksum of `name@version`
 * @returns {Promise<{ added: string[], unknown: string[] }>} folders
 */
export async function addIntegrity(packages, ask) {
  /** @type {{ added: string[], unknown: string[] }} */
  const result = { added: [], unknown: [] };
  for (const [folder, entry] of Object.entries(packages)) {
    const name = folder.split("node_modules/").slice(1).at(-1);
    if (name === undefined || entry.link || entry.integrity !== undefined) continue;
    // A checksum belongs to one version, not to a range.
    const isExact = /^\d+\.\d+\.\d+/.test(entry.version ?? "");
    const integrity = isExact ? await ask(`${name}@${entry.version}`) : undefined;
    if (integrity !== undefined) entry.integrity = integrity;
    (integrity === undefined ? result.unknown : result.added).push(folder);
  }
  return result;
}

/** @param {string} spec */
async function askRegistry(spec) {
  const { ok, output } = await runNpm(["view", spec, "dist.integrity", "--silent"]);
  return ok ? /\bsha512-[\w+/=]+/.exec(output)?.[0] : undefined;
}

/**
 * Resolves a package name from a folder, like Node.
 *
 * @param {Record<string, Locked>} packages
 * @param {string} folder
 * @param {string} name
 */
function find(packages, folder, name) {
  return lookups(folder, name)
    .map((place) => packages[place])
    .find(Boolean);
}

/**
 * The outermost folder without a conflict.
 *
 * @param {Record<string, Locked>} packages
 * @param {string} folder
 * @param {string} name
 */
function freePlace(packages, folder, name) {
  const places = lookups(folder, name);
  const taken = places.findIndex((place) => packages[place]);
  const place = taken < 0 ? places.at(-1) : places[taken - 1];
  if (!place) throw new Error(`${folder} has a different version of ${name}: run npm install first`);
  return place;
}

/**
 * @param {string} folder such as node_modules/a/node_modules/b
 * @param {string} name
 * @returns {string[]} from the inside out
 */
function lookups(folder, name) {
  const inner = `${folder}/node_modules/${name}`;
  const end = folder.lastIndexOf("node_modules/");
  if (end < 0) return folder === "" ? [`node_modules/${name}`] : [inner, `node_modules/${name}`];
  return [inner, ...lookups(folder.slice(0, Math.max(0, end - 1)), name)];
}

/**
 * Binary packages have their platform in their names.
 *
 * @param {string} name
 * @returns {Pick<Locked, "os" | "cpu" | "libc"> | undefined}
 */
function platformOf(name) {
  const os = /\b(aix|android|darwin|freebsd|linux|openharmony|sunos|win32)\b/.exec(name)?.[1];
  const cpu = /\b(arm64|arm|ia32|loong64|ppc64|riscv64|s390x|wasm32|x64)\b/.exec(name)?.[1];
  const libc = /\bmusl/.test(name) ? "musl" : /\bgnu/.test(name) ? "glibc" : undefined;
  if (!cpu && !os) return undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}

if (isMain(import.meta.url)) {
  const file = join(root, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const added = completeLock(lock.packages);
  const checksums = await addIntegrity(lock.packages, askRegistry);
  if (added.length + checksums.added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  log(`package-lock.json: ${added.length} entries and ${checksums.added.length} checksums added.`);
  if (checksums.unknown.length > 0) log(`Not in the registry: ${checksums.unknown.join(", ")}`);
}
