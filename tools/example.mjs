import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { execNode } from "./exec-node.mjs";
import { root } from "./paths.mjs";
import { Failure, runTool } from "./run-tool.mjs";
import { typeScriptFlags } from "./typescript-flags.mjs";

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
