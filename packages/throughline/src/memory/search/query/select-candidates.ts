import {
  type Background,
  briefWeights,
  maxPersonAndDateScore,
  personAndDateScore,
  type ScoredIndex,
  scoreDate,
  weightOfMeaning,
} from "./score-document.ts";
import { SCORE } from "./scratch.ts";

/** Turns before and after a good candidate that are candidates too: its words and meaning count for its neighbors. */
const BESIDE = 2;
/** Safety margin of the estimated limit, in standard deviations of the number of sampled documents above it. */
const MARGIN = 4;
/** Upper bound of the rounding error of scores by meaning. */
const MAX_INEXACT = 1e-9;

/** The documents of each index to score in full: the best by words and the best by meaning. */
export function selectCandidates(
  indexes: readonly ScoredIndex[],
  background: Background,
  count: number,
): readonly Uint32Array[] {
  const byWords = new BestDocuments(count);
  indexes.forEach((index, place) => {
    offerByWords(index, place, background, byWords);
  });
  const byMeaning = bestByMeaning(indexes, background, count);
  return indexes.map(({ scratch }, place) => union(byWords.of(place), byMeaning.of(place), scratch.selected));
}

/** The documents of both lists, each once. Uses zeros of `selected`, which are zeros afterwards. */
function union(a: Uint32Array, b: Uint32Array, selected: Uint8Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  all.set(a);
  let size = a.length;
  for (let at = 0; at < a.length; at += 1) selected[a[at] as number] = 1;
  for (let at = 0; at < b.length; at += 1) {
    const document = b[at] as number;
    if (selected[document] === 1) continue;
    all[size] = document;
    size += 1;
  }
  for (let at = 0; at < a.length; at += 1) selected[a[at] as number] = 0;
  return all.subarray(0, size);
}

/** Every visible document of an index. */
export function allDocuments({ view }: ScoredIndex): Uint32Array {
  const { visible, size } = view;
  const all = new Uint32Array(size);
  let count = 0;
  for (let document = 0; count < size; document += 1) {
    if (visible[document] !== 1) continue;
    all[count] = document;
    count += 1;
  }
  return all;
}

function offerByWords(index: ScoredIndex, place: number, background: Background, best: BestDocuments): void {
  const { touched, touchedCount, scores } = index.scratch;
  const most = maxPersonAndDateScore(index, background);
  const { words, cover, ownCover } = briefWeights(background);
  let least = best.least - most;
  for (let at = 0; at < touchedCount; at += 1) {
    const document = touched[at] as number;
    const start = SCORE.size * document;
    const brief =
      words * (scores[start + SCORE.words] as number) +
      cover * (scores[start + SCORE.cover] as number) +
      ownCover * (scores[start + SCORE.ownCover] as number);
    if (brief <= least) continue;
    best.offer(place, document, most === 0 ? brief : brief + personAndDateScore(index, document, background));
    least = best.least - most;
  }
}

/** The best documents by meaning. Most of the others are ruled out by a limit that is estimated from the samples. */
function bestByMeaning(indexes: readonly ScoredIndex[], background: Background, count: number): BestDocuments {
  const bestAbove = (least: number): BestDocuments => {
    const best = new BestDocuments(count);
    indexes.forEach((index, place) => {
      offerByMeaning(index, place, background, { best, least });
    });
    return best;
  };
  const best = bestAbove(likelyLeast(indexes, background, count));
  return best.isFull ? best : bestAbove(Number.NEGATIVE_INFINITY);
}

/** A score by meaning that nearly surely more than `count` documents have. */
function likelyLeast(indexes: readonly ScoredIndex[], background: Background, count: number): number {
  const sum = (of: (index: ScoredIndex) => number): number => indexes.reduce((all, index) => all + of(index), 0);
  const expected =
    (count * sum(({ sample }) => sample.documents.length)) /
    Math.max(
      1,
      sum(({ view }) => view.size),
    );
  const best = new BestDocuments(Math.ceil(expected + MARGIN * Math.sqrt(expected + 1)));
  const weight = weightOfMeaning(background);
  for (const index of indexes) {
    const { meaning, sample } = index;
    const most = maxPersonAndDateScore(index, background);
    for (const document of meaning === undefined ? [] : sample.documents) {
      const score = weight * (meaning?.own(document) ?? Number.NaN);
      if (!(score + most > best.least)) continue;
      best.offer(0, document, most === 0 ? score : score + personAndDateScore(index, document, background));
    }
  }
  return best.least;
}

function offerByMeaning(
  index: ScoredIndex,
  place: number,
  background: Background,
  { best, least }: { readonly best: BestDocuments; readonly least: number },
): void {
  const weight = weightOfMeaning(background);
  if (weight === 0) return;
  const most = maxPersonAndDateScore(index, background);
  const offer = (document: number, cosine: number): number => {
    const beside = most === 0 ? 0 : personAndDateScore(index, document, background);
    best.offer(place, document, weight * cosine + beside);
    return (best.least - margin) / weight;
  };
  // Most documents have no such score, and are ruled out by a higher limit than those that have one.
  const documents = most === 0 ? new Uint32Array(0) : withPersonOrDate(index, background);
  const margin = most === 0 ? 0 : MAX_INEXACT;
  index.meaning?.eachAbove(offer, (least - margin) / weight, { documents, advantage: most / weight });
}

/** Visible documents that match the person or time of the question, in order. */
function withPersonOrDate({ view, isPersons }: ScoredIndex, { spans }: Background): Uint32Array {
  const { visible, index, size } = view;
  const found = new Uint32Array(size);
  let count = 0;
  for (let document = 0; document < index.documents.length; document += 1) {
    if (visible[document] !== 1) continue;
    const isFrom = spans.length > 0 && scoreDate(index.documents.at(document), spans) > 0;
    if (!isFrom && isPersons?.(document) !== true) continue;
    found[count] = document;
    count += 1;
  }
  return found.subarray(0, count);
}

/** The visible turns beside the given documents, each once, that are not among the known ones. */
export function turnsBeside(
  { view, scratch: { selected } }: ScoredIndex,
  documents: readonly number[],
  known: Uint32Array,
): Uint32Array {
  const { neighbors } = view.index;
  const beside = new Uint32Array(2 * BESIDE * documents.length);
  let size = 0;
  for (let at = 0; at < known.length; at += 1) selected[known[at] as number] = 1;
  const add = (document: number): void => {
    if (document < 0 || view.visible[document] !== 1 || selected[document] === 1) return;
    selected[document] = 1;
    beside[size] = document;
    size += 1;
  };
  for (const document of documents) {
    for (let step = 0, [before, after] = [document, document]; step < BESIDE; step += 1) {
      before = before < 0 ? -1 : neighbors.before(before);
      after = after < 0 ? -1 : neighbors.after(after);
      add(before);
      add(after);
    }
  }
  for (const list of [known, beside.subarray(0, size)]) {
    for (let at = 0; at < list.length; at += 1) selected[list[at] as number] = 0;
  }
  return beside.subarray(0, size);
}

/** Keeps the documents with the highest scores that are offered to it: a binary heap with the lowest at the top. */
class BestDocuments {
  readonly #capacity: number;
  readonly #scores: Float64Array;
  readonly #documents: Uint32Array;
  readonly #places: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#scores = new Float64Array(capacity);
    this.#documents = new Uint32Array(capacity);
    this.#places = new Uint32Array(capacity);
  }

  /** A score must be higher to be kept. */
  get least(): number {
    return this.#size < this.#capacity ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  /** `place` is the position of the document's index. */
  offer(place: number, document: number, score: number): void {
    if (!(score > this.least)) return;
    if (this.#size < this.#capacity) {
      this.#size += 1;
      this.#rise(place, document, score);
    } else this.#sink(place, document, score);
  }

  /** True if it keeps as many documents as it can. */
  get isFull(): boolean {
    return this.#size === this.#capacity;
  }

  /** The kept documents of an index, in no order. */
  of(place: number): Uint32Array {
    const own = new Uint32Array(this.#size);
    let count = 0;
    for (let at = 0; at < this.#size; at += 1) {
      if (this.#places[at] !== place) continue;
      own[count] = this.#documents[at] as number;
      count += 1;
    }
    return own.subarray(0, count);
  }

  #rise(place: number, document: number, score: number): void {
    let at = this.#size - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#scores[parent] as number) <= score) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, place, document, score);
  }

  #sink(place: number, document: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (this.#scores[child + 1] as number) < (this.#scores[child] as number)) child += 1;
      if ((this.#scores[child] as number) >= score) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, place, document, score);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#places[from] as number, this.#documents[from] as number, this.#scores[from] as number);
  }

  #set(at: number, place: number, document: number, score: number): void {
    this.#places[at] = place;
    this.#documents[at] = document;
    this.#scores[at] = score;
  }
}
