import type { SearchIndex } from "../search-index.ts";
import { normalizedCount, saturated } from "./bm25.ts";
import type { SearchedIndex } from "./searched-index.ts";

/**
 * Frequent words of a query, counted only in documents that rarer words or the meaning selected. Counts are the same as
 * those of other words: in the document itself, and in its neighbors by their weights.
 */
export class LateWords {
  /** Result of {@link score}. */
  words = 0;
  cover = 0;
  ownCover = 0;
  /** Result of {@link count}: counts in context, by word. */
  readonly counts: Float64Array;
  /** 1 for each word that the document itself contains. */
  readonly isOwn: Uint8Array;
  readonly #searched: SearchedIndex;
  readonly #usualLength: number;
  readonly #terms: readonly number[];
  #idfs: readonly number[] = [];

  constructor(searched: SearchedIndex, hashes: readonly number[], usualLength: number) {
    this.#searched = searched;
    this.#usualLength = usualLength;
    this.#terms = hashes.map((hash) => searched.view.index.postings.number(hash));
    this.counts = new Float64Array(hashes.length);
    this.isOwn = new Uint8Array(hashes.length);
  }

  /** Sets the weights of the words, which {@link score} needs. */
  weigh(idfs: readonly number[]): void {
    this.#idfs = idfs;
  }

  /** Scores a document. The result is in the fields. */
  score(document: number): void {
    this.count(document);
    this.scoreCounts();
  }

  /** Scores the current counts. */
  scoreCounts(): void {
    this.words = 0;
    this.cover = 0;
    this.ownCover = 0;
    this.#idfs.forEach((idf, at) => {
      const count = this.counts[at] as number;
      this.words += idf * saturated(count);
      this.cover += idf * Math.min(1, count);
      this.ownCover += idf * (this.isOwn[at] as number);
    });
  }

  /** Counts the words in and near a document. */
  count(document: number): void {
    const { view, weights } = this.#searched;
    const { index, visible } = view;
    const { ownCounts, alsoCounts } = index.postings;
    const length = index.documents.ownLength(document);
    const near = weights.borrow(document);
    this.#terms.forEach((term, word) => {
      const place = term < 0 ? -1 : index.postings.place(document, term);
      const own = place < 0 ? 0 : (ownCounts[place] as number) + (alsoCounts[place] as number);
      let count = own === 0 ? 0 : normalizedCount(own, length, this.#usualLength);
      for (let at = 0; at < near && term >= 0; at += 1) {
        const neighbor = weights.documents[at] as number;
        if (visible[neighbor] === 1) count += (weights.weights[at] as number) * ownCount(index, neighbor, term);
      }
      this.counts[word] = count;
      this.isOwn[word] = own > 0 ? 1 : 0;
    });
  }
}

function ownCount({ postings }: SearchIndex, document: number, term: number): number {
  const place = postings.place(document, term);
  return place < 0 ? 0 : (postings.ownCounts[place] as number);
}
