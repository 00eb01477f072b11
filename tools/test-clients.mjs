import { join } from "node:path";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { execNode } from "./run/exec-node.mjs";
import { cliFolder } from "./run/paths.mjs";
import { runTool } from "./run/run-tool.mjs";
import { typeScriptFlags } from "./run/typescript-flags.mjs";

// npm run test:clients -- [NAME…] [--short]: real agents and SDKs against a scripted provider.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const runner = join(cliFolder, "test", "clients", "run.ts");
  await execNode(process.execPath, [...typeScriptFlags, runner, ...process.argv.slice(2)]);
});
