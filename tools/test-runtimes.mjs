import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode, nodePackage } from "./ensure/ensure-node.mjs";
import { cliFolder, root } from "./run/paths.mjs";
import { run } from "./run/run.mjs";
import { runNpm } from "./run/run-npm.mjs";
import { runSteps } from "./run/run-steps.mjs";
import { Failure, runTool } from "./run/run-tool.mjs";
import { typeScriptFlags } from "./run/typescript-flags.mjs";
import { checkEdge } from "./runtimes/edge.mjs";

/** Ignored by git: the runtimes, each in a folder of its own. */
const folder = join(root, ".runtimes");
const NODES = ["22.13.1", "24.21.0"];
const EDGE = ["workerd@1.20261110.1", "esbuild@0.25.0"];

// npm run test:runtimes: the built packages in each supported runtime. Pages in Chromium are part of npm test.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const results = await runSteps([...NODES.flatMap(nodeSteps), { name: "edge runtime (workerd)", work: edgeStep }], 1);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
});

/** @param {string} version of Node */
function nodeSteps(version) {
  const examples = join(root, "examples");
  const name = nodePackage(process.platform, process.arch);
  const at = join(folder, `node-${version}`);
  const node = join(at, "node_modules", String(name), "bin", process.platform === "win32" ? "node.exe" : "node");
  const env = { PATH: `${dirname(node)}:${process.env.PATH ?? ""}` };
  const cli = join(cliFolder, "dist", "bin.js");
  return [
    { name: `Node ${version}`, work: () => install(at, [`${name}@${version}`]) },
    {
      name: `Node ${version}: throughline doctor`,
      work: () => run(node, [cli, "doctor", "--data", join(at, "data")], { env }),
    },
    ...readdirSync(examples)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => ({
        name: `Node ${version}: examples/${file}`,
        work: () => run(node, [...typeScriptFlags, join(examples, file)], { cwd: examples, env, timeout: 120_000 }),
      })),
  ];
}

async function edgeStep() {
  const at = join(folder, "edge");
  await install(at, EDGE);
  await checkEdge(at);
}

/**
 * @param {string} at
 * @param {string[]} packages with their versions
 */
async function install(at, packages) {
  const stamp = join(at, `.installed-${packages.join("-")}`);
  if (existsSync(stamp)) return;
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), JSON.stringify({ private: true }));
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  const { ok, output } = await runNpm(["install", ...quiet, ...packages], { cwd: at });
  if (!ok) throw new Failure(`Could not install ${packages.join(" and ")}: ${output}`);
  writeFileSync(stamp, "");
}
