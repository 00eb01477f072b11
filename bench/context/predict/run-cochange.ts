import process from "node:process";
import { parseArgs } from "node:util";
import { type Cell, printTable } from "../../print-table.ts";
import { openFiles, type Repository, readRepositories, TEST_SHARE } from "./commits.ts";
import { CoChangeCounts } from "./counts-baseline.ts";
import { type Prediction, percent, predictAny, predicted, printReliability, WANTED } from "./score-predictions.ts";

interface Tally {
  all: number;
  hits: number;
  /** Opened files that no earlier commit had. */
  fresh: number;
  freshHits: number;
  /** Opened files with a companion in an earlier commit; only those can be predicted from history. */
  reachable: number;
  counts: number;
  countsKnown: number;
}

/** Measures how well the other files of a commit are predicted from an opened one, on public repositories. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(
      "Usage: npm run bench -- context cochange --data FOLDER (files *.jsonl: { f: [paths] } per commit)\n",
    );
    return 2;
  }
  const predictions: Prediction[] = [];
  const anyPredictions: Prediction[] = [];
  const rows: Cell[][] = [];
  for (const repository of await readRepositories(values.data)) {
    rows.push(rowOf(repository, judge(repository, predictions, anyPredictions)));
  }
  console.log(
    "Opens each file of each of the last 20% of commits in turn, knowing only the commits before it. Hit: at least one of the 10\npredicted files is another file of the same commit.\n",
  );
  const headers = [
    "repository",
    "commits",
    "opened",
    "counts only",
    "hit@10",
    "of them known: counts",
    "known",
    "new",
    "reachable",
  ];
  printTable(headers, rows);
  printReliability("Files", predictions);
  printReliability("At least one of the ten", anyPredictions);
  return 0;
}

function judge(repository: Repository, predictions: Prediction[], anyPredictions: Prediction[]): Tally {
  const tally: Tally = { all: 0, hits: 0, fresh: 0, freshHits: 0, reachable: 0, counts: 0, countsKnown: 0 };
  const counts = new CoChangeCounts();
  let learned = 0;
  for (const query of openFiles(repository, { from: 1 - TEST_SHARE })) {
    for (; learned < query.index.baskets.length; learned += 1) counts.learn(repository.commits[learned] ?? []);
    const files = predicted(query);
    const isHit = files.some(({ path }) => query.targets.has(path));
    const isCounted = counts.top([query.opened], WANTED).some((path) => query.targets.has(path));
    tally.all += 1;
    tally.hits += Number(isHit);
    tally.fresh += Number(query.isNew);
    tally.freshHits += Number(query.isNew && isHit);
    tally.reachable += Number(query.hasKnownTarget);
    tally.counts += Number(isCounted);
    tally.countsKnown += Number(isCounted && !query.isNew);
    for (const file of files) predictions.push({ ...file, used: query.targets.has(file.path) });
    if (files.length > 0) anyPredictions.push(predictAny(files, query.situation, isHit));
  }
  return tally;
}

function rowOf({ name, commits }: Repository, tally: Tally): Cell[] {
  const { all, hits, fresh, freshHits, reachable, counts, countsKnown } = tally;
  return [
    name,
    commits.length,
    all,
    percent(counts, all),
    percent(hits, all),
    percent(countsKnown, all - fresh),
    percent(hits - freshHits, all - fresh),
    percent(freshHits, fresh),
    percent(reachable, all),
  ];
}
