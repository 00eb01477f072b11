import type { View } from "../index/view.ts";
import { NeighborWeights } from "./neighbor-weights.ts";
import { type Sample, sampleOf } from "./sample-documents.ts";
import { type Scratch, scratchFor } from "./scratch.ts";

/** One of the indexes of a query, with the inputs that all scores share. */
export interface SearchedIndex {
  readonly view: View;
  readonly weights: NeighborWeights;
  readonly scratch: Scratch;
  /** Visible documents from which means and deviations are estimated. */
  readonly sample: Sample;
}

/** Prepares the indexes of a query. `rate` is the share of the documents in the sample. */
export function prepareIndexes(views: readonly View[], rate: number): readonly SearchedIndex[] {
  return views.map((view, at) => {
    const weights = new NeighborWeights(view.index);
    const scratch = scratchFor(at, view.index.documents.length);
    return { view, weights, scratch, sample: sampleOf(view, weights, rate) };
  });
}
