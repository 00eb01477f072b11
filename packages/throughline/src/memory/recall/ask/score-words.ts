import type { Term } from "../words/read-terms.ts";
import { eachNeighbour } from "./context.ts";
import type { Usual, View } from "./view.ts";

/** How soon a word that is said again counts less, and how much long texts count less: in documents, in sessions. */
const K1 = 0.8;
const B = 0.5;
const SESSION_K1 = 1.2;
const SESSION_B = 0.75;

/** A word of the question, and how much it tells: rare ones more. */
export interface WeighedTerm extends Term {
  readonly idf: number;
  /** How many of the documents that may be seen have it themselves. */
  readonly documents: number;
}

/** What the words of a question say of the documents of a view. */
export interface WordScores {
  /** BM25, where the words of neighbours count as a document's own, less with their distance. */
  readonly words: Float32Array;
  /** Which share of the question's words is there or near, rare ones counting more; 0 to 1. */
  readonly cover: Float32Array;
  /** BM25 by session: what was talked about there. */
  readonly sessions: Float32Array;
}

export function scoreWords(
  views: readonly View[],
  terms: readonly Term[],
  usual: Usual,
): { readonly terms: readonly WeighedTerm[]; readonly scores: readonly WordScores[] } {
  const scores = views.map(({ visible, sessionLengths }) => ({
    words: new Float32Array(visible.length),
    cover: new Float32Array(visible.length),
    sessions: new Float32Array(sessionLengths.length),
  }));
  const counters = views.map((view) => new Counter(view, usual));
  const weighed = terms.map((term): WeighedTerm => {
    for (const counter of counters) counter.count(term.hash);
    const inContext = counters.reduce((sum, { touched }) => sum + touched.length, 0);
    const inSessions = counters.reduce((sum, { touchedSessions }) => sum + touchedSessions.length, 0);
    const idf = rarity(inContext, usual.documents);
    counters.forEach((counter, at) => {
      counter.score(scores[at] as WordScores, idf, rarity(inSessions, usual.sessions));
    });
    return { ...term, idf, documents: counters.reduce((sum, { documents }) => sum + documents, 0) };
  });
  const all = weighed.reduce((sum, { idf }) => sum + idf, 0);
  return {
    terms: weighed,
    scores: scores.map((one) => ({ ...one, cover: one.cover.map((part) => part / (all || 1)) })),
  };
}

function rarity(having: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5));
}

/** Counts one term at a time in the documents and sessions of a view. */
class Counter {
  touched: number[] = [];
  touchedSessions: number[] = [];
  /** How many documents have the term themselves. */
  documents = 0;
  readonly #view: View;
  readonly #usual: Usual;
  readonly #counts: Float32Array;
  readonly #sessionCounts: Float32Array;

  constructor(view: View, usual: Usual) {
    this.#view = view;
    this.#usual = usual;
    this.#counts = new Float32Array(view.visible.length);
    this.#sessionCounts = new Float32Array(view.sessionLengths.length);
  }

  count(hash: number): void {
    const { index, visible } = this.#view;
    this.touched = [];
    this.touchedSessions = [];
    this.documents = 0;
    let lent = 0;
    const lend = (neighbour: number, weight: number): void => this.#add(neighbour, lent * weight);
    index.postings.each(hash, (document, own, also) => {
      if (visible[document] !== 1) return;
      this.documents += 1;
      const length = index.documents.ownLength(document);
      this.#add(document, (own + also) / (1 - B + (B * length) / this.#usual.length));
      if (own === 0 || !index.documents.isTurn(document)) return;
      lent = own;
      eachNeighbour(index, document, lend);
      this.#addToSession(index.documents.session(document), own);
    });
  }

  score({ words, cover, sessions }: WordScores, idf: number, sessionIdf: number): void {
    for (const document of this.touched) {
      const count = this.#counts[document] as number;
      words[document] = (words[document] as number) + (idf * count * (K1 + 1)) / (count + K1);
      cover[document] = (cover[document] as number) + idf * Math.min(1, count);
      this.#counts[document] = 0;
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
    if (before === 0) this.touched.push(document);
    this.#counts[document] = before + count;
  }

  #addToSession(session: number, count: number): void {
    if (session < 0) return;
    const before = this.#sessionCounts[session] as number;
    if (before === 0) this.touchedSessions.push(session);
    this.#sessionCounts[session] = before + count;
  }
}
