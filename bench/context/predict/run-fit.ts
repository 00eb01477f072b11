import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { FEATURES } from "../../../packages/throughline/src/context/predict/file-features.ts";
import { type Calibration, probabilityOfAny } from "../../../packages/throughline/src/context/predict/file-weights.ts";
import { printTable } from "../../print-table.ts";
import { openFiles, type Repository, readRepositories, TEST_SHARE } from "./commits.ts";
import { commitExamples, fitJudge, type Judge, sessionExamples, TRAINING, trainingFiles } from "./examples.ts";
import { type Example, fitLogistic } from "./fit-logistic.ts";
import { type Prediction, percent, predicted } from "./score-predictions.ts";
import { nextFiles, readSessions, type SessionLog } from "./sessions.ts";

const FOLDS = 5;
const MAX_TESTED = 1_500;

/**
 * Fits the prediction weights and prints them for `context/predict/file-weights.ts`, on the earlier part of each
 * repository and of the sessions. Each repository is also scored with weights fitted without it, and the calibration is
 * fitted to those scores.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write("Usage: npm run bench -- context fit --data FOLDER (with cochange/ and claude-code/)\n");
    return 2;
  }
  const repositories = await readRepositories(path.join(values.data, "cochange"));
  const log = await readSessions(path.join(values.data, "claude-code"));
  const drawn = repositories.map((repository) => ({ repository, examples: commitExamples(repository) }));
  const inSessions = sessionExamples(log);
  const rows: string[][] = [];
  const change: Prediction[][] = [];
  for (const { repository } of drawn) {
    const others = drawn.filter((one) => one.repository !== repository).flatMap(({ examples }) => examples);
    const { judge } = fitJudge([...others, ...inSessions]);
    rows.push([repository.name, hitShare(repository, judge)]);
    change.push(...predictChanges(repository, judge));
  }
  const commits = drawn.flatMap(({ examples }) => examples);
  const session: Prediction[][] = [];
  const shown: Prediction[][] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const { judge } = fitJudge([...commits, ...inSessions.filter((one) => one.session % FOLDS !== fold)]);
    session.push(...predictSessions(log, judge, { fold, seen: false }));
    shown.push(...predictSessions(log, judge, { fold, seen: true }));
  }
  const { judge, weights } = fitJudge([...commits, ...inSessions]);
  for (const [at, { repository }] of drawn.entries()) rows[at]?.push(hitShare(repository, judge));
  printTable(["repository", "hit@10, weights of the others", "hit@10, weights of all"], rows);
  printSessions(log, judge);
  printFit(weights, { change, session, shown });
  return 0;
}

function hitShare(repository: Repository, judge: Judge): string {
  let [hits, all] = [0, 0];
  for (const query of openFiles(repository, { from: 1 - TEST_SHARE, max: MAX_TESTED })) {
    all += 1;
    if (predicted(query, judge).some((file) => query.targets.has(file.path))) hits += 1;
  }
  return percent(hits, all);
}

/** Predictions for each opened file, and their outcome. */
function predictChanges(repository: Repository, judge: Judge): readonly Prediction[][] {
  const predictions: Prediction[][] = [];
  for (const query of openFiles(repository, TRAINING)) {
    predictions.push(predicted(query, judge).map((file) => ({ ...file, used: query.targets.has(file.path) })));
  }
  return predictions;
}

function predictSessions(
  log: SessionLog,
  judge: Judge,
  { fold, seen }: { readonly fold: number; readonly seen: boolean },
): readonly Prediction[][] {
  const predictions: Prediction[][] = [];
  for (const next of trainingFiles(log, seen)) {
    if (next.session % FOLDS !== fold) continue;
    predictions.push(predicted(next, judge).map((file) => ({ ...file, used: next.later.has(file.path) })));
  }
  return predictions;
}

function printSessions(log: SessionLog, judge: Judge): void {
  const first = Math.floor(log.sessions.length * (1 - TEST_SHARE));
  for (const seen of [false, true]) {
    let [hits, all] = [0, 0];
    for (const next of nextFiles(log, { seen })) {
      if (next.session < first) continue;
      all += 1;
      if (predicted(next, judge).some((file) => file.path === next.target)) hits += 1;
    }
    const what = seen ? "with shown text" : "from opens alone";
    console.log(`sessions, last fifth, ${what}: ${percent(hits, all)} of ${all}`);
  }
}

function printFit(weights: Float64Array, predictions: Readonly<Record<string, readonly Prediction[][]>>): void {
  console.log("\nWEIGHTS");
  for (const [at, name] of FEATURES.entries()) {
    console.log(`  ${/-/.test(name) ? `"${name}"` : name}: ${(weights[at] ?? 0).toFixed(2)},`);
  }
  console.log("CALIBRATION");
  for (const [name, lists] of Object.entries(predictions)) {
    const file = fitLine(lists.flat());
    const any = fitLine(lists.filter((list) => list.length > 0).map((list) => anyOf(list, file)));
    console.log(`  ${name}: { file: ${writeLine(file)}, any: ${writeLine(any)} },`);
  }
}

function writeLine({ slope, shift }: Calibration): string {
  return `{ slope: ${slope.toFixed(3)}, shift: ${shift.toFixed(3)} }`;
}

type Scored = Pick<Prediction, "score" | "used">;

/** Platt scaling: maps scores to probabilities. */
function fitLine(predictions: readonly Scored[]): Calibration {
  const examples = predictions.map(
    ({ score, used }): Example => ({ features: Float64Array.of(score, 1), used: used ? 1 : 0, weight: 1 }),
  );
  const [slope = 1, shift = 0] = fitLogistic(examples, 2, 1e-3);
  return { slope, shift };
}

function anyOf(list: readonly Prediction[], { slope, shift }: Calibration): Scored {
  const confidences = list.map(({ score }) => 1 / (1 + Math.exp(-(slope * score + shift))));
  return { score: probabilityOfAny(confidences), used: list.some(({ used }) => used) };
}
