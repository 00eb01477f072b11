import process from "node:process";
import { parseArgs } from "node:util";
import { MemoryIndexes } from "../../../packages/throughline/src/context/memory-index.ts";
import { toPredictInput } from "../../../packages/throughline/src/context/normalize-signals.ts";
import { KnownUses } from "../../../packages/throughline/src/context/predict/known-uses.ts";
import {
  EVIDENCE,
  type Evidence,
  equalErrors,
  gatherEvidence,
} from "../../../packages/throughline/src/context/predict/memory-evidence.ts";
import { predictFiles } from "../../../packages/throughline/src/context/predict/predict-files.ts";
import {
  FEATURES,
  likelihoodOf,
  readFeatures,
} from "../../../packages/throughline/src/context/predict/predict-memories.ts";
import { readSignal } from "../../../packages/throughline/src/context/predict/read-signal.ts";
import { QUIET } from "../../../packages/throughline/src/ports/logger.ts";
import type { Memory } from "../../../packages/throughline/src/ports/memory.ts";
import { LaterNames } from "../later-names.ts";
import { quartersOf, readFolders } from "../replay-points.ts";
import { type Moment, OWNER, replayFolder } from "../replay-sessions.ts";
import { TEST_SHARE } from "./commits.ts";
import { type Example, fitLogistic, sumOf } from "./fit-logistic.ts";
import { type Prediction, percent, printReliability } from "./score-predictions.ts";

/** A candidate memory, and whether the rest of the session used it. */
interface Weighed {
  readonly features: Float64Array;
  readonly likelihood: number;
  readonly used: boolean;
  readonly startedAt: number;
}

const RIDGE = 1;
const FOLDS = 5;
const MAX_TOLD = 10;

/**
 * Measures how many predicted memories are used in real sessions: at three points of each session, all candidates, and
 * whether later typed text names a file or identifier of them. `--fit` prints weights, fitted to all sessions but the
 * last fifth.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" }, fit: { type: "boolean" } } });
  if (values.data === undefined) {
    process.stderr.write("Usage: npm run bench -- context memories --data FOLDER [--fit]\n");
    return 2;
  }
  const points: (readonly Weighed[])[] = [];
  for (const [folder, sessions] of await readFolders(values.data)) {
    process.stderr.write(`${sessions.length} sessions of a folder …\n`);
    for await (const moment of replayFolder(folder, sessions, quartersOf)) points.push(await weigh(moment, folder));
  }
  const inOrder = points.toSorted((a, b) => (a[0]?.startedAt ?? 0) - (b[0]?.startedAt ?? 0));
  const first = Math.floor(inOrder.length * (1 - TEST_SHARE));
  if (values.fit) printWeights(inOrder.slice(0, first).flat());
  report("All sessions, each by weights that were fitted without it", acrossFolds(inOrder));
  report("The last fifth, by the weights that are shipped", inOrder.slice(first));
  return 0;
}

/** The same with cross-validated probabilities. */
function acrossFolds(points: readonly (readonly Weighed[])[]): readonly (readonly Weighed[])[] {
  const starts = [...new Set(points.flatMap((point) => point[0]?.startedAt ?? []))];
  const foldOf = (point: readonly Weighed[]): number => starts.indexOf(point[0]?.startedAt ?? 0) % FOLDS;
  const weights = Array.from({ length: FOLDS }, (_, fold) =>
    fitUpward(points.filter((point) => foldOf(point) !== fold).flat()),
  );
  return points.map((point) => {
    const own = weights[Math.max(0, foldOf(point))] as Float64Array;
    return point.map((one) => ({ ...one, likelihood: 1 / (1 + Math.exp(-sumOf(own, one.features))) }));
  });
}

function report(name: string, points: readonly (readonly Weighed[])[]): void {
  const predictions = points.flatMap((point) =>
    likeliest(point).map(({ likelihood, used }): Prediction => ({ score: 0, confidence: likelihood, used })),
  );
  const usedOf = (some: readonly { readonly used: boolean }[]): string =>
    `${percent(some.filter((one) => one.used).length, some.length)} of ${some.length}`;
  console.log(`\n${name}: ${points.length} points`);
  console.log(`Used, of all candidates: ${usedOf(points.flat())}; of the ten most likely: ${usedOf(predictions)}`);
  printReliability("Memories", predictions);
}

function likeliest<T extends Pick<Weighed, "likelihood">>(weighed: readonly T[]): readonly T[] {
  return weighed.toSorted((a, b) => b.likelihood - a.likelihood).slice(0, MAX_TOLD);
}

async function weigh({ point, throughline, store, clock }: Moment, projectId: string): Promise<readonly Weighed[]> {
  const { memory, context } = throughline;
  const visit = { userId: OWNER, projectId };
  const signal = readSignal(toPredictInput(point.signals), clock.now());
  const uses = new KnownUses(store.documents, visit, clock);
  const built = await uses.open();
  const sessionFiles = uses.sessionOf(point.session.id)?.files ?? [];
  const relevant = (text: string) => memory.findRelevant(text, { limit: 8, from: "memories" });
  const sameErrors = signal.error === undefined ? [] : equalErrors(signal.error, (await relevant(signal.error)).hits);
  const ledTo = sameErrors.map((one) => one.files);
  const { files } = await predictFiles(signal, { built, workspace: undefined, sessionFiles, ledTo });
  const { memoryIndexes } = await new MemoryIndexes(
    { memoryStore: store.memories, blobs: store.blobs, logger: QUIET },
    visit,
  ).open();
  const evidence = await gatherEvidence(signal, { files, built, memoryIndexes, relevant, equalErrors: sameErrors });
  const later = new LaterNames(point.after, false);
  const found = (await memory.get([...evidence.keys()])).filter((one) => LaterNames.read(textOf(one)).size > 0);
  const weighed = found.map((one) => {
    const own = evidence.get(one.id) as Evidence;
    return {
      id: one.id,
      features: readFeatures(own),
      likelihood: likelihoodOf(own),
      used: later.isNamedIn(textOf(one)),
      startedAt: point.session.meta.startedAt ?? 0,
    };
  });
  // Reports the used ones among the most probable, as a real caller would.
  const memoriesUsed = likeliest(weighed).flatMap(({ used, id }) => (used ? id : []));
  await context.observe({ sessionId: point.session.id, memoriesUsed });
  return weighed;
}

function textOf({ levels, artifacts }: Memory): string {
  return [levels.full, ...artifacts.map(({ ref }) => ref)].join("\n");
}

function printWeights(weighed: readonly Weighed[]): void {
  const weights = fitUpward(weighed);
  console.log("WEIGHTS");
  for (const [at, feature] of FEATURES.entries()) {
    const having = weighed.filter(({ features }) => (features[at] ?? 0) > 0);
    const used = percent(having.filter((one) => one.used).length, having.length);
    console.log(`  ${feature}: ${weights[at]?.toFixed(2)}, of ${having.length} cases ${used} used`);
  }
}

/** Non-negative weights: no evidence for a memory may lower its probability. */
function fitUpward(weighed: readonly Weighed[]): Float64Array {
  const leftOut = new Set<number>();
  for (;;) {
    const examples = weighed.map(
      ({ features, used }): Example => ({
        features: features.map((value, at) => (leftOut.has(at) ? 0 : value)),
        used: used ? 1 : 0,
        weight: 1,
      }),
    );
    const weights = fitLogistic(examples, FEATURES.length, RIDGE);
    const of = weights.slice(0, EVIDENCE.length);
    const lowest = of.indexOf(Math.min(...of));
    if ((of[lowest] ?? 0) >= 0) return weights;
    leftOut.add(lowest);
  }
}
