import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, fingerprint, isStampedWith } from "./fingerprint.mjs";
import { packageFolder, root } from "./paths.mjs";
import { runNpm } from "./run-npm.mjs";
import { Failure } from "./run-tool.mjs";
import { say, secondsSince } from "./say.mjs";
import { withLock } from "./with-lock.mjs";

// npm never packs a file whose name begins so: the stamp goes when dist goes, and is not published.
const stamp = join(packageFolder, "dist", "._built");

/** Builds the package if its source has changed since the last build. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock("build", async () => {
    if (!isBuilt()) await build();
  });
}

function isBuilt() {
  return isStampedWith(stamp, sourcePrint());
}

async function build() {
  const start = performance.now();
  // Taken before the build: what is edited while it runs is not in it.
  const print = sourcePrint();
  say("Building throughline …");
  rmSync(stamp, { force: true });
  const { ok, output } = await runNpm(["run", "build", "--workspace", "throughline", "--silent"]);
  if (!ok) throw new Failure(`${output.trimEnd()}\nThe build of throughline failed; what it said is above.`);
  writeFileSync(stamp, print);
  say(`throughline is built (${secondsSince(start)}).`);
}

function sourcePrint() {
  // The lock file stands for the compiler and the bundler.
  return buildPrint(packageFolder, [join(root, "tsconfig.base.json"), join(root, "package-lock.json")]);
}

/**
 * A hash over all that decides what a build gives.
 *
 * @param {string} folder of the package
 * @param {string[]} [more] files outside of it
 */
export function buildPrint(folder, more = []) {
  const source = filesBelow(join(folder, "src")).filter((file) => !isTestFile(file));
  const settings = readdirSync(folder).filter((name) =>
    /^(package\.json|tsdown\.config\..*|tsconfig.*\.json)$/.test(name),
  );
  return fingerprint(folder, [...source, ...settings.map((name) => join(folder, name)), ...more]);
}

/** @param {string} file */
function isTestFile(file) {
  return /\.(test|test-d|arbitrary)\.tsx?$/.test(file);
}
