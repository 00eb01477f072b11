import process from "node:process";
import { parseArgs } from "node:util";
import { measureSummaries, startSummaryScores } from "./measure-summaries.ts";
import { bestOfEachFamily, measureWindows, startWindowScores } from "./measure-windows.ts";
import { openThroughline } from "./open-throughline.ts";
import { type Point, readPoints } from "./points.ts";
import { summaryPolicies, windowPolicies } from "./policies.ts";
import { checkTargets, printSummaries, printWindows } from "./print-scores.ts";

const USAGE = `Usage: npm run bench -- compaction --data FOLDER [--points N] [--policy NAME] [--pre window|session]
FOLDER holds claude-code/compactions.jsonl and claude-code/sessions. NAME: a part of a policy's name.
`;

/**
 * Measures how many of the identifiers that an agent needed next survive a compaction, by policy, on real compactions.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      points: { type: "string" },
      policy: { type: "string", default: "" },
      pre: { type: "string", default: "window" },
    },
  });
  const { data, pre } = values;
  if (data === undefined || (pre !== "window" && pre !== "session")) {
    process.stderr.write(USAGE);
    return 2;
  }
  const throughline = await openThroughline();
  if (throughline === undefined) process.stderr.write("This build has no sessions yet: baselines alone.\n");
  const isWanted = (name: string) => name.toLowerCase().includes(values.policy.toLowerCase());
  const summaries = startSummaryScores(summaryPolicies(throughline).filter((policy) => isWanted(policy.name)));
  const windows = startWindowScores(windowPolicies(throughline).filter((policy) => isWanted(policy.family)));
  const points: Point[] = [];
  const limit = values.points === undefined ? {} : { limit: Number(values.points) };
  for await (const point of readPoints({ data, pre, ...limit })) {
    await measureSummaries(point, summaries);
    await measureWindows(point, windows);
    points.push({ ...point, pre: [], post: [] });
    if (process.stderr.isTTY) process.stderr.write(`\r${points.length} points`);
  }
  await throughline?.close();
  describePoints(points);
  printSummaries(summaries);
  const best = bestOfEachFamily(windows);
  printWindows(best);
  return report(checkTargets(summaries, best), throughline !== undefined);
}

function describePoints(points: readonly Point[]): void {
  const sum = (count: (point: Point) => number) => points.reduce((total, point) => total + count(point), 0);
  const mean = (count: (point: Point) => number) => Math.round(sum(count) / Math.max(1, points.length));
  console.log(
    `\n${points.length} points, mean ${mean((p) => p.preTokens).toLocaleString("en-US")} tokens before; ` +
      `${sum((p) => p.needed.length)} identifiers needed, at ${points.filter((p) => p.needed.length > 0).length} points.`,
  );
  console.log(
    "recall: share of the needed identifiers that stand in the text; tokens by the same BPE for all. Where a method has " +
      "settings, the best one at that budget is shown. No model runs here: specs 3 and 5 are given the agent's own summary.",
  );
}

function report(verdicts: ReturnType<typeof checkTargets>, isBuilt: boolean): number {
  if (verdicts.length > 0) console.log("");
  for (const { text, holds } of verdicts) console.log(`${holds ? "holds" : "FAILS"}  ${text}`);
  return isBuilt && verdicts.every(({ holds, isPromise }) => holds || !isPromise) ? 0 : 1;
}
