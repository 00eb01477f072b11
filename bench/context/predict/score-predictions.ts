import { calibrateAny, probabilityOfAny } from "../../../packages/throughline/src/context/predict/file-weights.ts";
import type { PredictionInput } from "../../../packages/throughline/src/context/predict/gather-candidates.ts";
import {
  type RankedFile,
  rankFiles,
  spreadFiles,
} from "../../../packages/throughline/src/context/predict/predict-files.ts";
import type { UseIndex } from "../../../packages/throughline/src/context/predict/use-index.ts";
import { type Cell, printTable } from "../../print-table.ts";
import type { Judge } from "./examples.ts";

export const WANTED = 10;

/** A predicted probability, and whether it came true. */
export interface Prediction {
  readonly score: number;
  readonly confidence: number;
  readonly used: boolean;
}

/** The predicted files for a situation. */
export function predicted(
  { index, situation }: { readonly index: UseIndex; readonly situation: PredictionInput },
  judge?: Judge,
): readonly RankedFile[] {
  return spreadFiles(index, situation, rankFiles(index, situation, judge), WANTED);
}

/** The predicted probability that at least one of some files is used, and its odds. */
export function predictAny(files: readonly RankedFile[], situation: PredictionInput, used: boolean): Prediction {
  const confidences = files.map((file) => file.confidence);
  return { score: probabilityOfAny(confidences), confidence: calibrateAny(confidences, situation), used };
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
}

const STEP = 0.1;

/** Expected calibration error over ten bins, weighted by their size. */
function calibrationError(predictions: readonly Prediction[]): number {
  return tenths(predictions).reduce(
    (sum, { cases, expected, actual }) => sum + (cases / predictions.length) * Math.abs(expected - actual),
    0,
  );
}

export function printReliability(name: string, predictions: readonly Prediction[]): void {
  console.log(
    `\n${name}: predicted and actual share of use (expected calibration error ${calibrationError(predictions).toFixed(3)})`,
  );
  const rows = tenths(predictions).map(({ from, cases, expected, actual }): Cell[] => [
    `${from.toFixed(1)}–${(from + STEP).toFixed(1)}`,
    cases,
    `${(100 * expected).toFixed(1)}%`,
    `${(100 * actual).toFixed(1)}%`,
  ]);
  printTable(["confidence", "cases", "predicted", "used"], rows);
}

function tenths(predictions: readonly Prediction[]) {
  const groups = Map.groupBy(predictions, ({ confidence }) => Math.min(9, Math.floor(confidence / STEP)));
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([tenth, group]) => ({
      from: tenth * STEP,
      cases: group.length,
      expected: group.reduce((sum, { confidence }) => sum + confidence, 0) / group.length,
      actual: group.filter(({ used }) => used).length / group.length,
    }));
}
