import type { View } from "../index/view.ts";
import { NeighborWeights } from "./neighbor-weights.ts";
import { sampleDocuments } from "./sample-documents.ts";
import { type Scratch, scratchFor } from "./scratch.ts";

/** One of the indexes of a query, with what all of its scores need. */
export interface SearchedIndex {
  readonly view: View;
  readonly weights: NeighborWeights;
  readonly scratch: Scratch;
  /** Visible documents from which means and deviations are estimated. */
  readonly sample: Uint32Array;
}

/** Prepares the indexes of a query. `rate` is the share of the documents in the sample. */
export function prepareIndexes(views: readonly View[], rate: number): readonly SearchedIndex[] {
  return views.map((view, at) => ({
    view,
    weights: new NeighborWeights(view.index),
    scratch: scratchFor(at, view.index.documents.length),
    sample: sampleDocuments(view, rate),
  }));
}
