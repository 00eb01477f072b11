import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { log, secondsSince } from "../run/log.mjs";
import { root } from "../run/paths.mjs";
import { runNpm } from "../run/run-npm.mjs";
import { Failure } from "../run/run-tool.mjs";
import { withLock } from "../run/with-lock.mjs";
import { fingerprint, isStampedWith } from "./fingerprint.mjs";

const stamp = join(root, "node_modules", ".throughline-installed");

/** Runs `npm ci` if node_modules does not match the lock file and the manifests. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock("npm-ci", async () => {
    if (!isInstalled()) await install();
  });
}

function isInstalled() {
  return isStampedWith(stamp, installPrint(root));
}

async function install() {
  const start = performance.now();
  const print = installPrint(root);
  log("Installing packages (npm ci) …");
  rmSync(stamp, { force: true });
  // Under NODE_ENV=production npm would skip the build and test tools.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, code } = await runNpm(args, { show: "stderr" });
  if (!ok) {
    throw new Failure(
      `npm ci failed (exit code ${code}); see the output above. If package-lock.json does not match a package.json, run npm install and commit the lock file.`,
    );
  }
  writeFileSync(stamp, print);
  log(`Installed the packages (${secondsSince(start)}).`);
}

/** @param {string} folder the repository */
export function installPrint(folder) {
  const manifests = ["", ...workspaces(folder)].map((workspace) => join(folder, workspace, "package.json"));
  const nodeMajor = process.versions.node.split(".")[0] ?? "";
  return fingerprint(folder, [join(folder, "package-lock.json"), ...manifests], [`node ${nodeMajor}`]);
}

/**
 * @param {string} folder
 * @returns {string[]} their folders
 */
function workspaces(folder) {
  /** @type {{ workspaces: string[] }} */
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const folders = manifest.workspaces.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    if (!existsSync(join(folder, parent))) return [];
    return readdirSync(join(folder, parent)).map((name) => join(parent, name));
  });
  return folders.filter((path) => existsSync(join(folder, path, "package.json")));
}
