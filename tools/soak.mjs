import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { runTool } from "./run-tool.mjs";
import { runVitest } from "./run-vitest.mjs";

// npm run soak: the promises of a session, twenty times as long as npm test takes for them. Arguments name other tests.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  const tests = process.argv.length > 2 ? process.argv.slice(2) : ["packages/throughline/src/session/promises.test.ts"];
  const { ok } = await runVitest([...tests, "--testTimeout=3600000"], { THROUGHLINE_SOAK: "20" });
  if (!ok) process.exitCode = 1;
});
