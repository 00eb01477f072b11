import { ensureBuilt } from "./ensure/ensure-built.mjs";
import { ensureInstalled } from "./ensure/ensure-installed.mjs";
import { ensureNode } from "./ensure/ensure-node.mjs";
import { runTool } from "./run/run-tool.mjs";
import { runVitest } from "./run/run-vitest.mjs";

// npm run soak: the long form of all tests, or of those named by the arguments. More cases of each property, growth of
// processor time on long inputs, the Studio in every state, and variants of which npm test runs one.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const { ok } = await runVitest([...process.argv.slice(2), "--testTimeout=3600000"], { THROUGHLINE_SOAK: "20" });
  if (!ok) process.exitCode = 1;
});
