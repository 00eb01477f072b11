import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, fingerprint, isStampedWith } from "./fingerprint.mjs";
import { packageFolder, root, studioFolder } from "./paths.mjs";
import { runNpm } from "./run-npm.mjs";
import { Failure } from "./run-tool.mjs";
import { say, secondsSince } from "./log.mjs";
import { withLock } from "./with-lock.mjs";

/**
 * @typedef {object} Build
 * @property {string} workspace
 * @property {string} stamp
 * @property {() => string} print a hash over all that decides what it gives
 */

// npm never packs a file whose name begins so: a stamp goes when dist goes, and is not published.
const stamp = (/** @type {string} */ name) => join(packageFolder, "dist", `._${name}`);
// The lock file stands for the compiler and the bundlers.
const shared = ["tsconfig.base.json", "package-lock.json", "tools/third-party.mjs"].map((file) => join(root, file));

/**
 * The Studio comes last: it is built into the package, whose own build empties the folder.
 *
 * @type {Build[]}
 */
const builds = [
  { workspace: "throughline", stamp: stamp("built"), print: () => buildPrint(packageFolder, shared) },
  {
    workspace: "throughline-studio",
    stamp: stamp("studio-built"),
    print: () =>
      buildPrint(studioFolder, [...shared, ...sourceOf(packageFolder), join(root, "tools/source-aliases.mjs")]),
  },
];

/** Builds the package and the Studio, each if its source has changed since the last time. */
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
  // Taken before the build: what is edited while it runs is not in it.
  const printBefore = print();
  say(`Building ${workspace} …`);
  rmSync(stamp, { force: true });
  const { ok, output } = await runNpm(["run", "build", "--workspace", workspace, "--silent"]);
  if (!ok) throw new Failure(`${output.trimEnd()}\nThe build of ${workspace} failed; what it said is above.`);
  writeFileSync(stamp, printBefore);
  say(`${workspace} is built (${secondsSince(start)}).`);
}

/**
 * @param {string} folder of the workspace
 * @param {string[]} [more] files outside of it
 */
export function buildPrint(folder, more = []) {
  const settings = readdirSync(folder).filter((name) =>
    /^(package\.json|index\.html|(tsdown|vite)\.config\..*|tsconfig.*\.json)$/.test(name),
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
