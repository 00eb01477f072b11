import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { fingerprint, isStampedWith } from "./ensure/fingerprint.mjs";
import { root } from "./run/paths.mjs";
import { run } from "./run/run.mjs";
import { runNpm } from "./run/run-npm.mjs";
import { Failure, runTool } from "./run/run-tool.mjs";

const folder = join(root, "docs");
const stamp = join(folder, "node_modules", ".throughline-installed");

/** Installs the packages of the site, which are apart from the workspace: only the site needs them. */
async function ensureSiteInstalled() {
  const print = fingerprint(folder, [join(folder, "package.json"), join(folder, "package-lock.json")]);
  if (isStampedWith(stamp, print)) return;
  rmSync(stamp, { force: true });
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, output } = await runNpm(args, { cwd: folder });
  if (!ok) throw new Failure(`Could not install the packages of the documentation site.\n${output}`);
  writeFileSync(stamp, print);
}

// npm run docs: serves the site on this machine and follows changes. With --build it only builds it, into
// `docs/.vitepress/dist`; VitePress reports links to pages that do not exist.
await runTool(async () => {
  const args = process.argv.slice(2);
  const isBuild = args.length === 1 && args[0] === "--build";
  if (args.length > 0 && !isBuild) throw new Failure("Usage: npm run docs [-- --build]");
  await ensureNode();
  await ensureSiteInstalled();
  const program = join(folder, "node_modules", "vitepress", "bin", "vitepress.js");
  const command = isBuild ? ["build"] : ["dev", "--host", "127.0.0.1"];
  const { ok } = await run(process.execPath, [program, ...command], { cwd: folder, show: "all" });
  if (!ok) throw new Failure(`The documentation site could not be ${isBuild ? "built" : "served"}; see above.`);
});
