import { join } from "node:path";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { root } from "./run/paths.mjs";
import { run } from "./run/run.mjs";
import { Failure, runTool } from "./run/run-tool.mjs";
import { typeScriptFlags } from "./run/typescript-flags.mjs";

// npm run docs:generate: writes the generated pages, docs/cli.md, docs/http.md and docs/api. With --check it only
// reports stale pages.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  // The command line imports the built library.
  await ensureBuilt();
  for (const script of ["make-cli-docs.mjs", "make-http-docs.mjs", "make-api-docs.mjs"]) {
    const args = [...typeScriptFlags, join(root, "tools", "docs", script), ...process.argv.slice(2)];
    const { ok } = await run(process.execPath, args, { show: "all" });
    if (!ok) throw new Failure(`${script} failed.`);
  }
});
