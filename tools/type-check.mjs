import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { findBin } from "./find-bin.mjs";
import { isMain } from "./is-main.mjs";
import { root } from "./paths.mjs";
import { run } from "./run.mjs";
import { runSteps } from "./run-steps.mjs";

const candidates = [
  "packages/throughline/tsconfig.core.json",
  "packages/throughline/tsconfig.json",
  "packages/throughline/tsconfig.browser.json",
  "apps/studio/tsconfig.json",
  "apps/studio/tsconfig.node.json",
  "bench/tsconfig.json",
  "examples/tsconfig.json",
  "tools/tsconfig.json",
];

/** One step for each TypeScript project that is there. */
export function typeCheckSteps() {
  const projects = candidates.filter((project) => existsSync(join(root, project)));
  return projects.map((project) => ({ name: `types of ${project}`, work: () => typeCheck(project) }));
}

/** @param {string} project */
function typeCheck(project) {
  const cache = join(root, "node_modules", ".cache", "throughline");
  mkdirSync(cache, { recursive: true });
  const buildInfo = join(cache, `${project.replaceAll("/", "-")}.tsbuildinfo`);
  const args = ["--project", project, "--noEmit", "--incremental", "--tsBuildInfoFile", buildInfo];
  return run(process.execPath, [findBin("typescript", "tsc"), ...args, ...(process.stdout.isTTY ? ["--pretty"] : [])]);
}

// npm run typecheck
if (isMain(import.meta.url)) {
  const results = await runSteps(typeCheckSteps());
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}
