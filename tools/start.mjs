import { join } from "node:path";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { execNode } from "./exec-node.mjs";
import { cliFolder } from "./paths.mjs";
import { runTool } from "./run-tool.mjs";
import { userFolder } from "./user-folder.mjs";

// npm start: starts the product, also on a fresh clone.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const program = join(cliFolder, "dist", "bin.js");
  await execNode(process.execPath, [program, ...process.argv.slice(2)], { cwd: userFolder() });
});
