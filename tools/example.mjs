import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { execNode } from "./run/exec-node.mjs";
import { root } from "./run/paths.mjs";
import { Failure, runTool } from "./run/run-tool.mjs";
import { typeScriptFlags } from "./run/typescript-flags.mjs";

// npm run example -- NAME: runs one of the examples, also on a fresh clone.
await runTool(async () => {
  await ensureNode();
  const folder = join(root, "examples");
  const [name = ""] = process.argv.slice(2);
  const file = join(folder, `${name}.ts`);
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) {
    const names = readdirSync(folder).flatMap((one) => /^([\w-]+)\.ts$/.exec(one)?.[1] ?? []);
    throw new Failure(`Usage: npm run example -- ${names.join(" | ")}`);
  }
  await ensureInstalled();
  await ensureBuilt();
  await execNode(process.execPath, [...typeScriptFlags, file], { cwd: folder });
});
