import type { TermDocuments } from "../index/postings.ts";
import type { Usual, View } from "../index/view.ts";
import { eachNeighbor } from "./neighbor-weights.ts";
import type { QuestionTerm } from "./read-question.ts";

/** BM25 parameters (saturation of repeated words, length normalization) of documents and of sessions. */
const K1 = 0.8;
const B = 0.35;
const SESSION_K1 = 1.2;
const SESSION_B = 0.75;
/** Weight of an ordinary word relative to a specific one that is equally rare in the store. */
const ORDINARY_WEIGHT = 0.5;

/** A word of the query with its weight. Rare words weigh more. */
export interface WeighedTerm extends QuestionTerm {
  readonly idf: number;
  /** Number of visible documents that contain the word. */
  readonly documents: number;
}

/** Scores of the documents of a view by the words of a query. */
export interface WordScores {
  /** BM25. Words of neighbors count too, less with their distance. */
  readonly words: Float32Array;
  /** Share of the query's words in or near the document, 0 to 1. Rare words count more. */
  readonly cover: Float32Array;
  /** Share of the query's words in the document itself, 0 to 1. Rare words count more. */
  readonly ownCover: Float32Array;
  /** BM25 by session, as a measure of its topics. */
  readonly sessions: Float32Array;
}

export function scoreWords(
  views: readonly View[],
  terms: readonly QuestionTerm[],
  usual: Usual,
): { readonly terms: readonly WeighedTerm[]; readonly scores: readonly WordScores[] } {
  const scores = views.map(({ index: { scratch }, visible, sessionLengths }) => ({
    words: scratch.take("words", Float32Array, visible.length),
    cover: scratch.take("cover", Float32Array, visible.length),
    ownCover: scratch.take("own cover", Float32Array, visible.length),
    sessions: scratch.take("sessions", Float32Array, sessionLengths.length),
  }));
  const counters = views.map((view) => new Counter(view, usual));
  const weighed = terms.map((term): WeighedTerm => {
    for (const counter of counters) counter.count(term.hash);
    const inContext = counters.reduce((sum, { inContext: count }) => sum + count, 0);
    const inSessions = counters.reduce((sum, { touchedSessions }) => sum + touchedSessions.length, 0);
    const factor = ORDINARY_WEIGHT + (1 - ORDINARY_WEIGHT) * term.specificity;
    const idf = factor * rarity(inContext, usual.documents);
    counters.forEach((counter, at) => {
      counter.score(scores[at] as WordScores, idf, factor * rarity(inSessions, usual.sessions));
    });
    return { ...term, idf, documents: counters.reduce((sum, { documents }) => sum + documents, 0) };
  });
  const all = weighed.reduce((sum, { idf }) => sum + idf, 0) || 1;
  for (const { cover, ownCover } of scores) {
    for (let document = 0; document < cover.length; document += 1) {
      cover[document] = (cover[document] as number) / all;
      ownCover[document] = (ownCover[document] as number) / all;
    }
  }
  return { terms: weighed, scores };
}

/**
 * Number of assumed texts without the word, besides the stored ones, because a small store is weak evidence for rarity.
 */
const ASSUMED = 20;

function rarity(having: number, all: number): number {
  return Math.log(1 + (Math.max(0, all + ASSUMED - having) + 0.5) / (having + 0.5));
}

/**
 * Counts one term at a time in the documents and sessions of a view. Its loops over many documents are optimized for
 * speed.
 */
class Counter {
  /** Number of documents that contain the term, and of those that contain it or have it nearby. */
  documents = 0;
  inContext = 0;
  touchedSessions: number[] = [];
  readonly #view: View;
  readonly #usual: Usual;
  readonly #counts: Float32Array;
  readonly #sessionCounts: Float32Array;
  /**
   * The documents that contain the term, then those that have it nearby. Only the first `inContext` elements are valid.
   */
  readonly #touched: Uint32Array;

  constructor(view: View, usual: Usual) {
    this.#view = view;
    this.#usual = usual;
    const { scratch } = view.index;
    this.#counts = scratch.take("counts", Float32Array, view.visible.length);
    this.#sessionCounts = scratch.take("session counts", Float32Array, view.sessionLengths.length);
    this.#touched = scratch.take("touched", Uint32Array, view.visible.length);
  }

  count(hash: number): void {
    const found = this.#view.index.postings.find(hash);
    this.touchedSessions = [];
    this.documents = this.#countOwn(found);
    this.inContext = this.documents;
    if (!this.#view.index.neighbors.isEmpty) this.#lend(found);
  }

  /** Counts the term in each visible document. Returns the number of documents. */
  #countOwn({ documents, own, also }: TermDocuments): number {
    const { index, visible } = this.#view;
    const lengths = index.documents.ownLengths;
    const [counts, touched, usual] = [this.#counts, this.#touched, this.#usual.length];
    let counted = 0;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      if (visible[document] !== 1) continue;
      const length = (lengths[document] as number) / usual;
      counts[document] = ((own[at] as number) + (also[at] as number)) / (1 - B + B * length);
      touched[counted] = document;
      counted += 1;
    }
    return counted;
  }

  /** Adds the counts of turns, weighted, to their neighbors and sessions. */
  #lend({ documents, own }: TermDocuments): void {
    const { index, visible } = this.#view;
    let lent = 0;
    const lend = (neighbor: number, weight: number): void => this.#add(neighbor, lent * weight);
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      lent = own[at] as number;
      if (visible[document] !== 1 || lent === 0 || !index.documents.isTurn(document)) continue;
      eachNeighbor(index, document, lend);
      this.#addToSession(index.documents.session(document), lent);
    }
  }

  score({ words, cover, ownCover, sessions }: WordScores, idf: number, sessionIdf: number): void {
    const counts = this.#counts;
    for (let at = 0; at < this.inContext; at += 1) {
      const document = this.#touched[at] as number;
      const count = counts[document] as number;
      words[document] = (words[document] as number) + (idf * count * (K1 + 1)) / (count + K1);
      cover[document] = (cover[document] as number) + idf * Math.min(1, count);
      if (at < this.documents) ownCover[document] = (ownCover[document] as number) + idf;
      counts[document] = 0;
    }
    for (const session of this.touchedSessions) {
      const count = this.#sessionCounts[session] as number;
      const length = (this.#view.sessionLengths[session] as number) / this.#usual.sessionLength;
      const damping = SESSION_K1 * (1 - SESSION_B + SESSION_B * length);
      sessions[session] = (sessions[session] as number) + (sessionIdf * count * (SESSION_K1 + 1)) / (count + damping);
      this.#sessionCounts[session] = 0;
    }
  }

  #add(document: number, count: number): void {
    if (this.#view.visible[document] !== 1) return;
    const before = this.#counts[document] as number;
    if (before === 0) {
      this.#touched[this.inContext] = document;
      this.inContext += 1;
    }
    this.#counts[document] = before + count;
  }

  #addToSession(session: number, count: number): void {
    if (session < 0) return;
    const before = this.#sessionCounts[session] as number;
    if (before === 0) this.touchedSessions.push(session);
    this.#sessionCounts[session] = before + count;
  }
}
