import process from "node:process";
import { parseArgs } from "node:util";
import { openThroughline } from "./bench-throughline.ts";
import { measureSummaries, startSummaryScores } from "./measure-summaries.ts";
import { bestOfEachFamily, measureWindows, startWindowScores } from "./measure-windows.ts";
import { measureNotes } from "./notes/measure-notes.ts";
import { printNote } from "./notes/print-note.ts";
import { printNotes } from "./notes/print-notes.ts";
import { isSetAside, readGenericIdentifiers } from "./notes/read-cases.ts";
import { type Point, readPoints } from "./points.ts";
import { summaryPolicies, windowPolicies } from "./policies.ts";
import { checkTargets, printSummaries, printVersions, printWindows } from "./print-scores.ts";

const USAGE = `Usage: npm run bench -- compaction --data FOLDER [options]
FOLDER contains claude-code/compactions.jsonl, claude-code/sessions, and if present claude-code/labels and codex/sessions.
  --policy NAME           Measure the policies whose name contains NAME.
  --all                   Include the sessions that are set aside for reading (ids that begin with 0 to 3).
  --only identifiers|notes  Print the tables of needed identifiers, or the tables of notes.
  --points N              Measure needed identifiers at the first N compactions only.
  --pre window|session    Compact the agent's window (default) or the whole session before it.
  --print SESSION         Print a note of the session whose id begins with SESSION (default policy: throughline).
  --size N                Size of the printed note in tokens (default 2500).
`;

const OPTIONS = {
  data: { type: "string" },
  policy: { type: "string", default: "" },
  all: { type: "boolean", default: false },
  only: { type: "string" },
  points: { type: "string" },
  pre: { type: "string", default: "window" },
  print: { type: "string" },
  size: { type: "string", default: "2500" },
} as const;

interface Settings {
  readonly data: string;
  readonly pre: "window" | "session";
  readonly all: boolean;
  readonly points: string | undefined;
  readonly isWantedPolicy: (name: string) => boolean;
}

/**
 * Measures on real compactions, by policy, how many of the identifiers that an agent needed next survive, and how good
 * the notes are that replace the messages.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { data, pre, only, print } = values;
  const isOnlyKnown = only === undefined || only === "identifiers" || only === "notes";
  const size = Number(values.size);
  if (data === undefined || (pre !== "window" && pre !== "session") || !isOnlyKnown || !(size > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  if (print !== undefined) {
    return printNote({ data, session: print, policy: values.policy || "throughline", size });
  }
  const isWantedPolicy = (name: string) => name.toLowerCase().includes(values.policy.toLowerCase());
  const settings = { data, pre, all: values.all, points: values.points, isWantedPolicy } as const;
  const code = only === "notes" ? 0 : await runIdentifiers(settings);
  if (only !== "identifiers") printNotes(await measureNotes(settings));
  return code;
}

async function runIdentifiers({ data, pre, all, points: max, isWantedPolicy }: Settings): Promise<number> {
  const throughline = await openThroughline();
  if (throughline === undefined) process.stderr.write("This build has no sessions: measuring the baselines only.\n");
  const summaries = startSummaryScores(summaryPolicies(throughline).filter((policy) => isWantedPolicy(policy.name)));
  const windows = startWindowScores(windowPolicies(throughline).filter((policy) => isWantedPolicy(policy.family)));
  const points: Point[] = [];
  const limit = max === undefined ? {} : { limit: Number(max) };
  const generic = await readGenericIdentifiers(data);
  const isWanted = (id: string) => all || !isSetAside(id);
  for await (const point of readPoints({ data, pre, generic, isWanted, ...limit })) {
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
  // The figures of version 0.1 are about all points.
  const isComplete = all && max === undefined && pre === "window";
  if (isComplete) printVersions(best);
  return report(checkTargets(summaries, best, isComplete), throughline !== undefined);
}

function describePoints(points: readonly Point[]): void {
  const sum = (count: (point: Point) => number) => points.reduce((total, point) => total + count(point), 0);
  const mean = (count: (point: Point) => number) => Math.round(sum(count) / Math.max(1, points.length));
  console.log(
    `\n${points.length} points, mean ${mean((p) => p.preTokens).toLocaleString("en-US")} tokens before; ` +
      `${sum((p) => p.needed.length)} names needed, ${sum((p) => p.specific.length)} of them specific.`,
  );
  console.log(
    "all names, specific names: share of the needed names that the text contains. Specific names are found by the rule " +
      "of the notes and are not in generic-identifiers.txt. Tokens are counted alike for all. If a method has settings, the " +
      "best one at that budget is shown. No model runs here: specs 3 and 5 are given the agent's own summary.",
  );
}

function report(verdicts: ReturnType<typeof checkTargets>, isBuilt: boolean): number {
  if (verdicts.length > 0) console.log("");
  for (const { text, holds } of verdicts) console.log(`${holds ? "met" : "FAILS"}  ${text}`);
  return isBuilt && verdicts.every(({ holds, isPromise }) => holds || !isPromise) ? 0 : 1;
}
