import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { runTool } from "./run-tool.mjs";
import { runVitest } from "./run-vitest.mjs";

// What npm test does in short: every property, agents over the wire, whatever a server is sent, texts that are made to be
// expensive, processes that are killed while they work, and the Studio in every look, however one leaves it.
const LONG = [
  "packages/throughline/src",
  "packages/server/src",
  "packages/cli/src",
  "packages/server/test/fuzz.test.ts",
  "packages/throughline/test/processes",
  "packages/throughline/test/complexity",
  "apps/studio",
];

// npm run soak: the long form of these tests, or of those that the arguments name.
await runTool(async () => {
  await ensureNode();
  await ensureInstalled();
  await ensureBuilt();
  const tests = process.argv.length > 2 ? process.argv.slice(2) : LONG;
  const { ok } = await runVitest([...tests, "--testTimeout=3600000"], { THROUGHLINE_SOAK: "20" });
  if (!ok) process.exitCode = 1;
});
