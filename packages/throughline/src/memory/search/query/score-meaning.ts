import { toUnitLength } from "../../../ports/embedder.ts";
import { wholeNumbers } from "../index/vectors.ts";
import type { View } from "../index/view.ts";
import type { NeighborWeights } from "./neighbor-weights.ts";
import type { Sample, ScoreSum } from "./sample-documents.ts";

/**
 * Most that the second bytes add to the product of a row with a unit vector: four standard deviations of the rounding
 * of the first bytes, which is evenly distributed over one.
 */
const MAX_ROUNDED = 4 * Math.sqrt(1 / 12);

type WeighedDocuments = Pick<NeighborWeights, "documents" | "weights">;

/** Returns the cosine above which the next document has to be. */
type Offer = (document: number, cosine: number) => number;

/** Documents, in order, for which the limit is lower by `advantage`. */
export interface Favored {
  readonly documents: Uint32Array;
  readonly advantage: number;
}

const NOT_FAVORED: Favored = { documents: new Uint32Array(0), advantage: 0 };

/** Similarity in meaning of the documents of a view and a query: exact cosines of their packed vectors. */
export class MeaningScores {
  readonly #view: View;
  readonly #weights: NeighborWeights;
  readonly #products: Int32Array;
  readonly #scales: Float32Array;
  readonly #scale: number;
  /** Unit vector of the query, if the vectors of the documents have second bytes. */
  readonly #query: Float32Array | undefined;
  #nearest: number | undefined;

  constructor(view: View, weights: NeighborWeights, vector: Float32Array) {
    const { vectors } = view.index;
    const numbers = wholeNumbers(vector);
    this.#view = view;
    this.#weights = weights;
    this.#products = vectors.multiply(numbers);
    this.#scales = vectors.scales;
    this.#scale = numbers.scale;
    this.#query = vectors.isFine ? toUnitLength(vector) : undefined;
  }

  /** True if the vectors have two bytes per component. */
  get isFine(): boolean {
    return this.#query !== undefined;
  }

  /** Cosine of a document's vector, with all of its bytes, and the query's; NaN if the document has none. */
  exact(document: number): number {
    const own = this.own(document);
    if (this.#query === undefined || Number.isNaN(own)) return own;
    return this.#view.index.vectors.fineProduct(document, this.#query) * (this.#scales[document] as number);
  }

  /** Cosine by the first byte of each component; NaN if the document has no vector or is invisible. */
  own(document: number): number {
    const scale = this.#scales[document] as number;
    if (scale === 0 || this.#view.visible[document] !== 1) return Number.NaN;
    return (this.#products[document] as number) * scale * this.#scale;
  }

  /** The highest cosine of all documents. */
  get nearest(): number {
    if (this.#nearest === undefined) this.eachAbove((_, cosine) => cosine);
    // Second bytes of components may add to it.
    return (this.#nearest ?? 1) + 2 / 127;
  }

  /**
   * Calls `offer` for each document, in order, whose cosine is above `least`, and above the last result of `offer` if
   * that is higher. It should be below the highest one.
   */
  eachAbove(offer: Offer, least: number = Number.NEGATIVE_INFINITY, favored: Favored = NOT_FAVORED): void {
    const { visible, index } = this.#view;
    const products = this.#products;
    const scales = this.#scales;
    const scale = this.#scale;
    const slack = this.isFine ? MAX_ROUNDED : 0;
    const { documents, advantage } = favored;
    let limit = least;
    let nearest = Number.NEGATIVE_INFINITY;
    let favoredCount = 0;
    let nextFavored = documents[0] ?? Number.POSITIVE_INFINITY;
    const visitOne = (document: number, above: number): void => {
      const own = scales[document] as number;
      const cosine = (products[document] as number) * own * scale;
      if (!(cosine + slack * own > above) || own === 0 || visible[document] !== 1) return;
      nearest = Math.max(nearest, cosine);
      limit = Math.max(least, offer(document, slack === 0 ? cosine : this.exact(document)));
    };
    const visitFavored = (end: number): void => {
      while (nextFavored < end) {
        visitOne(nextFavored, limit - advantage);
        favoredCount += 1;
        nextFavored = documents[favoredCount] ?? Number.POSITIVE_INFINITY;
      }
    };
    const visit = (from: number, to: number): number => {
      visitFavored(from);
      for (let document = from; document < to; document += 1) {
        if (nextFavored === document) visitFavored(document + 1);
        else visitOne(document, limit);
      }
      return limit / scale;
    };
    index.vectors.above(slack / scale, visit, limit / scale);
    visitFavored(Number.POSITIVE_INFINITY);
    // With a lower limit for some, the nearest of the others may have been left out.
    if (documents.length === 0) this.#nearest = nearest;
  }

  /** Adds up the cosines in context of a sample of the documents. */
  addTo(total: ScoreSum, { documents, contexts }: Sample): void {
    let sum = 0;
    let squares = 0;
    let count = 0;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      const cosine =
        contexts === undefined
          ? this.inContext(document)
          : this.#mean(document, contexts, contexts.starts[at] as number, contexts.starts[at + 1] as number);
      if (Number.isNaN(cosine)) continue;
      sum += cosine;
      squares += cosine * cosine;
      count += 1;
    }
    total.grow(sum, squares, count);
  }

  /** Weighted mean of the document's cosine and its neighbors'; NaN if the document has none. */
  inContext(document: number): number {
    return this.#mean(document, this.#weights, 0, this.#weights.borrow(document));
  }

  /** The same for neighbors from one place to another in arrays. */
  #mean(document: number, { documents, weights }: WeighedDocuments, from: number, to: number): number {
    const { visible } = this.#view;
    const products = this.#products;
    const scales = this.#scales;
    const scale = this.#scale;
    const isFine = this.isFine;
    let sum = this.exact(document);
    if (Number.isNaN(sum)) return sum;
    let total = 1;
    for (let at = from; at < to; at += 1) {
      const near = documents[at] as number;
      const own = scales[near] as number;
      if (own === 0 || visible[near] !== 1) continue;
      const weight = weights[at] as number;
      sum += weight * (isFine ? this.exact(near) : (products[near] as number) * own * scale);
      total += weight;
    }
    return sum / total;
  }
}

/** Scores of the documents of a view by meaning; `undefined` if the query or the index has no vectors. */
export function scoreMeaning(
  view: View,
  weights: NeighborWeights,
  vector: Float32Array | undefined,
): MeaningScores | undefined {
  const { dimensions } = view.index.vectors;
  if (vector === undefined || dimensions !== vector.length || vector.every((value) => value === 0)) return undefined;
  return new MeaningScores(view, weights, vector);
}
