import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { runTool } from "./run-tool.mjs";
import { runVitest } from "./run-vitest.mjs";

// Tests that npm test runs in a short form: properties, agents over the proxy, arbitrary requests to a server, texts
// that are expensive to process, processes that are killed while they work, and the Studio in every state.
const LONG = [
  "packages/throughline/src",
  "packages/server/src",
  "packages/cli/src",
  "packages/server/test/fuzz.test.ts",
  "packages/server/test/crash-retry.test.ts",
  "packages/cli/test/cli-import-learning.test.ts",
  "packages/cli/test/cli-keep.test.ts",
  "packages/throughline/test/encrypted-words.test.ts",
  "packages/throughline/test/processes",
  "packages/throughline/test/complexity",
  "apps/studio",
];

// npm run soak: the long form of these tests, or of those named by the arguments.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const tests = process.argv.length > 2 ? process.argv.slice(2) : LONG;
  const { ok } = await runVitest([...tests, "--testTimeout=3600000"], { THROUGHLINE_SOAK: "20" });
  if (!ok) process.exitCode = 1;
});
