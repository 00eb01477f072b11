import { sketch, wholeNumbers } from "../index/vectors.ts";
import type { View } from "../index/view.ts";
import { smooth } from "./neighbor-weights.ts";

/**
 * Maximum number of components that are compared exactly. With more, only documents with signs similar to the query's
 * are.
 */
const EXACT_NUMBERS = 5_000_000;
/** Number of preselected documents in this case: a share of all, and a minimum. */
const PRESELECTED_SHARE = 0.04;
const MIN_PRESELECTED = 10_000;
/** Number of documents in this case from which the mean and deviation are estimated. */
const SAMPLED = 2_048;

export interface MeaningScores {
  /** Cosine of each document's vector and the query's; NaN if unknown. */
  readonly own: Float32Array;
  /** Weighted mean of the document's cosine and its neighbors'. Weights fall with the distance. */
  readonly inContext: Float32Array;
}

/** Similarity in meaning of the documents of a view; `undefined` if the query or the index has no vectors. */
export function scoreMeaning(view: View, vector: Float32Array | undefined): MeaningScores | undefined {
  const { vectors } = view.index;
  if (vector === undefined || vectors.dimensions !== vector.length || vector.every((value) => value === 0)) {
    return undefined;
  }
  const own = view.index.scratch.take("meaning", Float32Array, view.visible.length).fill(Number.NaN);
  const numbers = wholeNumbers(vector);
  if (view.size * vectors.dimensions <= EXACT_NUMBERS) vectors.cosines(view.visible, numbers, own);
  else {
    const marked = preselect(view, vector);
    const step = Math.max(1, Math.floor(own.length / SAMPLED));
    for (let document = 0; document < own.length; document += step) marked[document] = view.visible[document] as number;
    vectors.cosines(marked, numbers, own);
  }
  return { own, inContext: smooth(view.index, own) };
}

/** 1 for each of the documents whose signs differ least from the query's. */
function preselect({ index, visible }: View, vector: Float32Array): Uint8Array {
  index.vectors.sketchAll();
  const signs = sketch(vector);
  const apart = index.scratch.take("apart", Uint16Array, visible.length);
  const byDistance = new Uint32Array(vector.length + 2);
  for (let document = 0; document < visible.length; document += 1) {
    if (visible[document] !== 1 || !index.vectors.has(document)) continue;
    const distance = index.vectors.signsApart(document, signs) + 1;
    apart[document] = distance;
    byDistance[distance] = (byDistance[distance] as number) + 1;
  }
  const wanted = Math.max(MIN_PRESELECTED, PRESELECTED_SHARE * visible.length);
  let furthest = 1;
  let count = byDistance[1] as number;
  while (count < wanted && furthest < vector.length + 1) {
    furthest += 1;
    count += byDistance[furthest] as number;
  }
  const nearest = index.scratch.take("nearest", Uint8Array, visible.length);
  for (let document = 0; document < apart.length; document += 1) {
    const distance = apart[document] as number;
    if (distance > 0 && distance <= furthest) nearest[document] = 1;
  }
  return nearest;
}
