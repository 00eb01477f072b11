import type { SearchIndex } from "../search-index.ts";
import type { Sample } from "./sample-documents.ts";
import { normalizedCount, saturated } from "./score-document.ts";
import type { SearchedIndex } from "./scratch.ts";

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

/** Counts of a frequent word that are the same in all queries until the view changes. */
export interface LateTerm {
  /** Number of visible documents that contain the word. */
  readonly documents: number;
  /** Sessions that contain it in turns, and its count in each. */
  readonly sessions: Uint32Array;
  readonly sessionCounts: Float32Array;
  /** By sampled document: count in context, and 1 if the document itself contains the word. */
  readonly counts: Float64Array;
  readonly isOwn: Uint8Array;
  /** Number of sampled documents with the word in or near them. */
  readonly near: number;
}

/** Maximum cached words per view. */
const MAX_TERMS = 64;
/** By sample, because a view has a new one after each change. Counts depend on the usual length of documents. */
const known = new WeakMap<Sample, { readonly usualLength: number; readonly terms: Map<number, LateTerm> }>();

/** The counts of a word in an index. Cached, because they take a look at all of its documents. */
export function lateTermOf(searched: SearchedIndex, hash: number, usualLength: number): LateTerm {
  const { sample } = searched;
  const cached = known.get(sample);
  const terms = cached?.usualLength === usualLength ? cached.terms : new Map<number, LateTerm>();
  if (terms !== cached?.terms) known.set(sample, { usualLength, terms });
  const term = terms.get(hash) ?? { ...countDocuments(searched, hash), ...countSample(searched, hash, usualLength) };
  if (terms.size >= MAX_TERMS) terms.clear();
  terms.set(hash, term);
  return term;
}

function countDocuments(
  { view }: SearchedIndex,
  hash: number,
): Pick<LateTerm, "documents" | "sessions" | "sessionCounts"> {
  const { index, visible } = view;
  const counts = new Map<number, number>();
  let count = 0;
  for (const { documents, own } of index.postings.find(hash)) {
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      if (visible[document] !== 1) continue;
      count += 1;
      const session = index.documents.session(document);
      if (session < 0 || own[at] === 0 || !index.documents.isTurn(document)) continue;
      counts.set(session, (counts.get(session) ?? 0) + (own[at] as number));
    }
  }
  const sessionCounts = Float32Array.from(counts.values());
  return { documents: count, sessions: Uint32Array.from(counts.keys()), sessionCounts };
}

function countSample(
  searched: SearchedIndex,
  hash: number,
  usualLength: number,
): Pick<LateTerm, "counts" | "isOwn" | "near"> {
  const { documents } = searched.sample;
  const words = new LateWords(searched, [hash], usualLength);
  const counts = new Float64Array(documents.length);
  const isOwn = new Uint8Array(documents.length);
  documents.forEach((document, at) => {
    words.count(document);
    counts[at] = words.counts[0] as number;
    isOwn[at] = words.isOwn[0] as number;
  });
  return { counts, isOwn, near: counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0) };
}
