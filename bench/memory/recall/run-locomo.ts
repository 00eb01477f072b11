import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { atLeast, printTargets } from "../../target.ts";
import { measureRecall, printByDepth, printByGroup, recallAt } from "./evidence-recall.ts";
import { readLocomo } from "./read-locomo.ts";

const USAGE = "Usage: npm run bench -- memory locomo --data FOLDER\nFOLDER contains locomo/locomo-dev.json.\n";
/** Minimum recall@10, which no change may lower. */
const MIN_RECALL = 0.825;

/** Measures evidence recall@k in conversations of two people over months. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const conversations = await readLocomo(path.join(values.data, "locomo"));
  const results = await measureRecall(conversations);
  printByDepth(results);
  printByGroup(results, ["multi-hop", "temporal", "open-domain", "single-hop"], "R@10 by category");
  printByGroup(
    results,
    conversations.map(({ name }) => name),
    "R@10 by conversation",
  );
  const ours = recallAt(results.get("ours"), "all", 10);
  const recipe = recallAt(results.get("contextual recipe"), "all", 10);
  const name = "recall@10, LoCoMo";
  return printTargets([
    atLeast(name, ours / 100, MIN_RECALL),
    atLeast(`${name}, against the contextual recipe`, ours / 100, recipe / 100),
  ])
    ? 0
    : 1;
}
