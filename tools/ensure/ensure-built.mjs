import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../package/entry-points.mjs";
import { log, secondsSince } from "../run/log.mjs";
import { cliFolder, libraryFolder, root, studioFolder } from "../run/paths.mjs";
import { runNpm } from "../run/run-npm.mjs";
import { Failure } from "../run/run-tool.mjs";
import { withLock } from "../run/with-lock.mjs";
import { filesBelow, fingerprint, isStampedWith } from "./fingerprint.mjs";

/**
 * @typedef {object} Build
 * @property {string} workspace
 * @property {string} stamp
 * @property {() => string} print a hash over all inputs of the build
 */

// npm never packs files with this prefix: a stamp is deleted together with dist, and is not published.
const stamp = (/** @type {string} */ folder, /** @type {string} */ name) => join(folder, "dist", `._${name}`);
// The lock file represents the compiler and the bundlers.
const shared = [
  "tsconfig.base.json",
  "package-lock.json",
  "tools/package/native-types.mjs",
  "tools/package/third-party.mjs",
  "tools/package/entry-points.mjs",
  "tools/run/paths.mjs",
].map((file) => join(root, file));

/**
 * In the order of their dependencies. The Studio is built into the `dist` of the command line, whose own build empties
 * it: a new build of the command line removes the Studio's stamp too.
 *
 * @type {Build[]}
 */
const builds = [
  ...packages.map(({ name, folder }, index) => ({
    workspace: name,
    stamp: stamp(folder, "built"),
    // A package is built against the types of those before it.
    print: () =>
      buildPrint(folder, [...shared, ...packages.slice(0, index).flatMap((before) => sourceOf(before.folder))]),
  })),
  {
    workspace: "throughline-studio",
    stamp: stamp(cliFolder, "studio-built"),
    print: () => buildPrint(studioFolder, [...shared, ...sourceOf(libraryFolder)]),
  },
];

/** Builds the packages and the Studio, each if its source has changed since the last build. */
export async function ensureBuilt() {
  if (builds.every(isBuilt)) return;
  await withLock("build", async () => {
    for (const build of builds) if (!isBuilt(build)) await make(build);
  });
}

/** @param {Build} build */
function isBuilt({ stamp, print }) {
  return isStampedWith(stamp, print());
}

/** @param {Build} build */
async function make({ workspace, stamp, print }) {
  const start = performance.now();
  // Computed before the build, because files edited while it runs are not included.
  const printBefore = print();
  log(`Building ${workspace} …`);
  rmSync(stamp, { force: true });
  const { ok, output } = await runNpm(["run", "build", "--workspace", workspace, "--silent"]);
  if (!ok) throw new Failure(`${output.trimEnd()}\nThe build of ${workspace} failed; see the output above.`);
  writeFileSync(stamp, printBefore);
  log(`Built ${workspace} (${secondsSince(start)}).`);
}

/**
 * @param {string} folder of the workspace
 * @param {string[]} [more] files outside of it
 */
export function buildPrint(folder, more = []) {
  const settings = readdirSync(folder).filter((name) =>
    /^(package\.json|[a-z]+\.html|(tsdown|vite)(\.report)?\.config\..*|tsconfig.*\.json)$/.test(name),
  );
  const beside = ["public", "vite"].flatMap((name) => filesBelow(join(folder, name)));
  return fingerprint(folder, [...sourceOf(folder), ...beside, ...settings.map((name) => join(folder, name)), ...more]);
}

/** @param {string} folder of the workspace */
function sourceOf(folder) {
  return filesBelow(join(folder, "src")).filter((file) => !isTestFile(file));
}

/** @param {string} file */
function isTestFile(file) {
  return /\.(test|test-d|arbitrary|fixture)\.tsx?$/.test(file);
}
