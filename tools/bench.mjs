import { join } from "node:path";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { execNode } from "./exec-node.mjs";
import { root } from "./paths.mjs";
import { runTool } from "./run-tool.mjs";
import { typeScriptFlags } from "./typescript-flags.mjs";
import { userFolder } from "./user-folder.mjs";

// npm run bench -- NAME: runs a benchmark, also on a fresh clone.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const args = [...typeScriptFlags, join(root, "bench", "run.ts"), ...process.argv.slice(2)];
  await execNode(process.execPath, args, { cwd: userFolder() });
});
