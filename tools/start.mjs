import { join } from "node:path";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { execNode } from "./run/exec-node.mjs";
import { cliFolder } from "./run/paths.mjs";
import { runTool } from "./run/run-tool.mjs";
import { userFolder } from "./run/user-folder.mjs";

// npm start: starts the product, also on a fresh clone.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const program = join(cliFolder, "dist", "bin.js");
  await execNode(process.execPath, [program, ...process.argv.slice(2)], { cwd: userFolder() });
});
