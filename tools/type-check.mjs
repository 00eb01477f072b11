import { availableParallelism } from "node:os";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { findBin } from "./run/find-bin.mjs";
import { isMain } from "./run/is-main.mjs";
import { run } from "./run/run.mjs";
import { runSteps } from "./run/run-steps.mjs";
import { runTool } from "./run/run-tool.mjs";

/**
 * Checks every TypeScript project of the repository (tsconfig.json lists them), including the `@example` blocks of
 * public functions and the code blocks of the documentation. TypeScript 7 is the fast native compiler; TypeScript 6
 * stays for the tools that need its JavaScript API.
 */
export const typeCheckStep = {
  name: "types",
  work: async () => {
    // Loaded here: it needs TypeScript, which `npm test` installs before this step.
    const [{ writeDocExamples }, { writeDocPages }] = await Promise.all([
      import("./docs/doc-examples.mjs"),
      import("./docs/doc-pages.mjs"),
    ]);
    writeDocExamples();
    writeDocPages();
    const pretty = process.stdout.isTTY ? ["--pretty"] : [];
    // One checker for each project: several would each work out the types that they share.
    const parts = ["--checkers", "1", "--builders", `${availableParallelism()}`];
    // Memory is plentiful: the compiler collects its garbage less often.
    const env = { GOGC: "400" };
    return run(process.execPath, [findBin("typescript-7", "tsc"), "--build", ...parts, ...pretty], { env });
  },
};

// npm run typecheck: also on a fresh clone.
if (isMain(import.meta.url)) {
  await runTool(async () => {
    await ensureNode();
    await ensureInstalled();
    await ensureBuilt();
    const results = await runSteps([typeCheckStep]);
    if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
  });
}
