import { findBin } from "./find-bin.mjs";
import { isMain } from "./is-main.mjs";
import { run } from "./run.mjs";
import { runSteps } from "./run-steps.mjs";

/**
 * Checks every TypeScript project of the repository (tsconfig.json lists them). TypeScript 7 is the fast native compiler;
 * TypeScript 6 stays for the tools that need its JavaScript API.
 */
export const typeCheckStep = {
  name: "types",
  work: () =>
    run(process.execPath, [findBin("typescript-7", "tsc"), "--build", ...(process.stdout.isTTY ? ["--pretty"] : [])]),
};

// npm run typecheck
if (isMain(import.meta.url)) {
  const results = await runSteps([typeCheckStep]);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}
