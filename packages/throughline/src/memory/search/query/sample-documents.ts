import type { View } from "../index/view.ts";
import type { NeighborWeights } from "./neighbor-weights.ts";

/** Mean and standard deviation of the scores of a query. */
export interface Deviation {
  readonly mean: number;
  /** 0 if all scores are equal. */
  readonly deviation: number;
}

/** Accumulates scores and computes their mean and standard deviation. */
export class ScoreSum {
  #count = 0;
  #sum = 0;
  #squares = 0;

  /** Adds a score a number of times. Unknown scores (NaN) do not count. */
  add(score: number, times: number = 1): void {
    if (times === 0 || Number.isNaN(score)) return;
    this.#count += times;
    this.#sum += times * score;
    this.#squares += times * score * score;
  }

  /**
   * Adds the growth of scores, and of their squares, that were added or 0 before. Loops over many scores add them up by
   * themselves, because a number in a field is a new object at each change.
   *
   * @param count Number of scores that were not added before.
   */
  grow(sum: number, squares: number, count: number = 0): void {
    this.#count += count;
    this.#sum += sum;
    this.#squares += squares;
  }

  /** `count`: the number of scores, with zeros that were not added. Default: those that were. */
  deviation(count: number = this.#count): Deviation {
    const mean = this.#sum / Math.max(1, count);
    return { mean, deviation: Math.sqrt(Math.max(0, this.#squares / Math.max(1, count) - mean * mean)) };
  }
}

/** Standard deviations of a score above the mean; 0 if the score is unknown or all scores are equal. */
export function deviationsAbove(score: number, { mean, deviation }: Deviation): number {
  return Number.isNaN(score) || deviation < 1e-6 ? 0 : (score - mean) / deviation;
}

/** Documents from which means and deviations are estimated, and the neighbors of each with their weights. */
export interface Sample {
  readonly documents: Uint32Array;
  /** Missing if all documents are in the sample. */
  readonly contexts: Contexts | undefined;
}

/** Neighbors of documents and their weights, those of the nth document between the nth and the next of `starts`. */
interface Contexts {
  readonly starts: Uint32Array;
  readonly documents: Int32Array;
  readonly weights: Float64Array;
}

const known = new WeakMap<View, { readonly version: number; readonly rate: number; readonly sample: Sample }>();

/** The sample of a view with the given rate, and the neighbors of its documents. Cached until the view changes. */
export function sampleOf(view: View, weights: NeighborWeights, rate: number): Sample {
  if (rate >= 1) return { documents: sampleDocuments(view, 1), contexts: undefined };
  const cached = known.get(view);
  if (cached?.version === view.version && cached.rate === rate) return cached.sample;
  const documents = sampleDocuments(view, rate);
  const sample = { documents, contexts: contextsOf(documents, weights) };
  known.set(view, { version: view.version, rate, sample });
  return sample;
}

function contextsOf(documents: Uint32Array, weights: NeighborWeights): Contexts {
  const starts = new Uint32Array(documents.length + 1);
  const near: number[] = [];
  const byWeight: number[] = [];
  documents.forEach((document, at) => {
    const count = weights.borrow(document);
    near.push(...weights.documents.subarray(0, count));
    byWeight.push(...weights.weights.subarray(0, count));
    starts[at + 1] = near.length;
  });
  return { starts, documents: Int32Array.from(near), weights: Float64Array.from(byWeight) };
}

/**
 * About `rate` of the documents of a view that are visible, evenly spread; all of them if `rate` is 1. Each step has a
 * pseudo-random offset, because texts often repeat at a fixed distance.
 */
export function sampleDocuments({ index, visible }: View, rate: number): Uint32Array {
  const { length } = index.documents;
  const count = rate >= 1 ? length : Math.min(length, Math.ceil(rate * length));
  const sampled = new Uint32Array(count);
  let size = 0;
  for (let at = 0; at < count; at += 1) {
    const document = rate >= 1 ? at : Math.min(length - 1, Math.floor(((at + offset(at)) * length) / count));
    if (visible[document] !== 1) continue;
    sampled[size] = document;
    size += 1;
  }
  return sampled.subarray(0, size);
}

/** A fraction from 0 to 1 that looks random and is the same in each query. */
function offset(at: number): number {
  let mixed = Math.imul(at + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 4_294_967_296;
}
