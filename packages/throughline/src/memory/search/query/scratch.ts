import { grow } from "../index/columns.ts";
import type { View } from "../index/view.ts";
import { NeighborWeights } from "./neighbor-weights.ts";
import { type Sample, sampleOf } from "./sample-documents.ts";

/**
 * Numbers of a document in {@link Scratch.scores}: BM25, the weight of the query's words in or near it, the weight of
 * those in it, and the count of the current term.
 */
export const SCORE = { size: 4, words: 0, cover: 1, ownCover: 2, count: 3 } as const;
/** If more documents were touched, the whole array is zeroed, which is faster. */
const MAX_CLEARED_SHARE = 0.2;

/** Arrays with one element per document, which are reused from query to query. All are zero between queries. */
class Scratch {
  /** Scores by words, {@link SCORE}.size numbers per document. They are read and written together. */
  scores: Float32Array = new Float32Array(0);
  /** Documents with a count of the current term. Not zeroed. */
  counted: Uint32Array = new Uint32Array(0);
  /** Documents with any word of the query in or near them: the first `touchedCount` elements. */
  touched: Uint32Array = new Uint32Array(0);
  touchedCount = 0;
  #documents = 0;
  /** 1 for documents that were selected as candidates. */
  selected: Uint8Array = new Uint8Array(0);

  /** Resizes the buffers for a number of documents, and clears the previous query. */
  prepare(documents: number): void {
    const { scores, touched, touchedCount } = this;
    if (touchedCount > MAX_CLEARED_SHARE * this.#documents) scores.fill(0, 0, SCORE.size * this.#documents);
    else {
      for (let at = 0; at < touchedCount; at += 1) {
        const start = SCORE.size * (touched[at] as number);
        scores[start + SCORE.words] = 0;
        scores[start + SCORE.cover] = 0;
        scores[start + SCORE.ownCover] = 0;
      }
    }
    this.touchedCount = 0;
    this.#documents = documents;
    this.scores = grow(scores, SCORE.size * documents);
    this.counted = grow(this.counted, documents);
    this.touched = grow(this.touched, documents);
    this.selected = grow(this.selected, documents);
  }
}

const pool: Scratch[] = [];

/**
 * The arrays for the nth index of a query. A query runs without interruption, so all queries of the process share them:
 * they are valid until the next query.
 */
function scratchFor(place: number, documents: number): Scratch {
  const scratch = pool[place] ?? new Scratch();
  pool[place] = scratch;
  scratch.prepare(documents);
  return scratch;
}

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
