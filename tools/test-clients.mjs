import { join } from "node:path";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { execNode } from "./exec-node.mjs";
import { cliFolder } from "./paths.mjs";
import { runTool } from "./run-tool.mjs";
import { typeScriptFlags } from "./typescript-flags.mjs";

// npm run test:clients -- [NAME…] [--short]: real agents and SDKs against a scripted provider.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const runner = join(cliFolder, "test", "clients", "run.ts");
  await execNode(process.execPath, [...typeScriptFlags, runner, ...process.argv.slice(2)]);
});
