import process from "node:process";
import { parseArgs } from "node:util";
import { type Cell, printTable } from "../../print-table.ts";
import { TEST_SHARE } from "./commits.ts";
import { CoChangeCounts } from "./counts-baseline.ts";
import { type Prediction, percent, predicted, printReliability, WANTED } from "./score-predictions.ts";
import { type NextFile, nextFiles, readSessions, type SessionLog } from "./sessions.ts";

interface Tally {
  all: number;
  hits: number;
  fresh: number;
  freshHits: number;
  counts: number;
}

/** Measures how well the next new file of a session is predicted, on sessions of a coding agent. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(
      "Usage: npm run bench -- context file-access --data FOLDER (file-access.jsonl and sessions/)\n",
    );
    return 2;
  }
  const log = await readSessions(values.data);
  const first = Math.floor(log.sessions.length * (1 - TEST_SHARE));
  console.log(
    "Predicts each file that a session touches for the first time, except the first, from the files that it touched before, its\nbranch, and all earlier sessions. Hit: the file is one of the 10 predicted ones. The weights were fitted to the sessions\nbefore the last 20%.\n",
  );
  const rows: Cell[][] = [];
  const predictions: Record<string, Prediction[]> = { "from opens alone": [], "with shown text": [] };
  for (const [name, seen] of [
    ["from opens alone", false],
    ["with shown text", true],
  ] as const) {
    rows.push(rowOf(name, "last 20% of sessions", judge(log, { seen, from: first }, predictions[name] ?? [])));
    rows.push(rowOf(name, "all sessions", judge(log, { seen, from: 0 }, [])));
  }
  printTable(
    ["predicted", "sessions", "files", "co-access counts", "hit@10", "without new files", "new files", "new"],
    rows,
  );
  for (const [name, some] of Object.entries(predictions))
    printReliability(`Last 20%, ${name}: touched in the rest of the session`, some);
  return 0;
}

function judge(
  log: SessionLog,
  { seen, from }: { readonly seen: boolean; readonly from: number },
  predictions: Prediction[],
): Tally {
  const tally: Tally = { all: 0, hits: 0, fresh: 0, freshHits: 0, counts: 0 };
  for (const next of nextFiles(log, { seen })) {
    if (next.session < from) continue;
    const files = predicted(next);
    const isHit = files.some(({ path }) => path === next.target);
    tally.all += 1;
    tally.hits += Number(isHit);
    tally.fresh += Number(next.isNew);
    tally.freshHits += Number(next.isNew && isHit);
    tally.counts += Number(countsOf(next).includes(next.target));
    for (const file of files) predictions.push({ ...file, used: next.later.has(file.path) });
  }
  return tally;
}

/** Baseline: files that other sessions touched most often together with the files of this one. */
function countsOf({ index, situation }: NextFile): readonly string[] {
  const counts = new CoChangeCounts();
  const wanted = new Set(situation.anchors);
  for (const [at, basket] of index.baskets.entries()) {
    const paths = basket.files.map((file) => index.files[file]?.path ?? "");
    if (at !== situation.ownBasket && paths.some((path) => wanted.has(path))) counts.learn(paths);
  }
  return counts.top(situation.anchors, WANTED);
}

function rowOf(name: string, sessions: string, { all, hits, fresh, freshHits, counts }: Tally): Cell[] {
  return [
    name,
    sessions,
    all,
    percent(counts, all),
    percent(hits, all),
    percent(hits - freshHits, all - fresh),
    percent(freshHits, fresh),
    percent(fresh, all),
  ];
}
