import { grow } from "../index/resize-array.ts";

/** Arrays with one element per document, which are reused from query to query. All are zero between queries. */
export class Scratch {
  /**
   * Scores by words, three numbers per document: BM25, the weight of the words in or near it, and of those in it. They
   * are next to each other because they are read and written together.
   */
  scores: Float32Array = new Float32Array(0);
  /** Counts of the current term. */
  counts: Float32Array = new Float32Array(0);
  /** Documents with a count of the current term. Not zeroed. */
  counted: Uint32Array = new Uint32Array(0);
  /** Documents with any word of the query in or near them: the first `touchedCount` elements. */
  touched: Uint32Array = new Uint32Array(0);
  touchedCount = 0;
  /** 1 for documents that were selected as candidates. */
  selected: Uint8Array = new Uint8Array(0);

  /** Makes room for a number of documents, and zeroes what the last query wrote. */
  prepare(documents: number): void {
    for (let at = 0; at < this.touchedCount; at += 1) {
      const start = 3 * (this.touched[at] as number);
      this.scores[start] = 0;
      this.scores[start + 1] = 0;
      this.scores[start + 2] = 0;
    }
    this.touchedCount = 0;
    this.scores = grow(this.scores, 3 * documents);
    this.counts = grow(this.counts, documents);
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
export function scratchFor(place: number, documents: number): Scratch {
  const scratch = pool[place] ?? new Scratch();
  pool[place] = scratch;
  scratch.prepare(documents);
  return scratch;
}
