import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { measureRecall, printByDepth, printByGroup, recallAt } from "./evidence-recall.ts";
import { readBeam } from "./read-beam.ts";

const USAGE = "Usage: npm run bench -- memory beam --data FOLDER\nFOLDER contains beam/100K.\n";
/** Recall@10 of plain BM25 from another measurement, and the required improvement. */
const BEFORE = { "knowledge update": 75, "contradiction resolution": 73, "information extraction": 57 };
const BETTER_BY = 10;

/** Measures evidence recall@10 in long chats with an assistant. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const conversations = await readBeam(path.join(values.data, "beam", "100K"));
  const results = await measureRecall(conversations);
  const categories = new Set(conversations.flatMap(({ questions }) => questions.map(({ category }) => category)));
  categories.delete("abstention");
  printByDepth(results);
  printByGroup(results, [...categories], "R@10 by category");
  printByGroup(
    results,
    conversations.map(({ name }) => name),
    "R@10 by chat",
  );
  console.log("");
  const held = Object.entries(BEFORE).map(([category, before]) => {
    const ours = recallAt(results.get("ours"), category, 10);
    const holds = ours >= before + BETTER_BY;
    console.log(`Target: ${category} at least ${before + BETTER_BY}: ${ours.toFixed(1)}, ${holds ? "met" : "missed"}.`);
    return holds;
  });
  return held.every(Boolean) ? 0 : 1;
}
