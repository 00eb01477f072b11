import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { runTool } from "./run/run-tool.mjs";

// npm run build: builds the packages and the Studio, also on a fresh clone.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
});
