import { join } from "node:path";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { execNode } from "./run/exec-node.mjs";
import { root } from "./run/paths.mjs";
import { runTool } from "./run/run-tool.mjs";
import { typeScriptFlags } from "./run/typescript-flags.mjs";
import { userFolder } from "./run/user-folder.mjs";

// npm run bench -- NAME: runs a benchmark, also on a fresh clone.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const args = [...typeScriptFlags, join(root, "bench", "run.ts"), ...process.argv.slice(2)];
  await execNode(process.execPath, args, { cwd: userFolder() });
});
