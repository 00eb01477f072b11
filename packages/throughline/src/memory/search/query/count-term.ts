import type { TermDocuments } from "../index/postings.ts";
import type { Usual } from "../index/view.ts";
import { normalizedCount, saturated, saturatedInSession } from "./bm25.ts";
import type { ScoreSum } from "./deviation.ts";
import type { LateTerm } from "./late-term.ts";
import { SCORE } from "./scratch.ts";
import type { SearchedIndex } from "./searched-index.ts";

/**
 * Counts one term at a time in the documents and sessions of an index. Its loops over many documents are optimized for
 * speed.
 */
export class TermCounter {
  /** BM25 by session, as a measure of its topics. */
  readonly sessions: Float32Array;
  /** Number of documents that contain the term, and of those that contain it or have it nearby. */
  documents = 0;
  inContext = 0;
  /** Number of sessions that contain it. */
  sessionCount = 0;
  readonly #searched: SearchedIndex;
  readonly #usual: Usual;
  readonly #sum: ScoreSum;
  readonly #sessionCounts: Float32Array;
  /** Sessions that contain the term: the first `sessionCount` elements. */
  readonly #touchedSessions: Uint32Array;

  /** `sum` adds up the scores of all documents. */
  constructor(searched: SearchedIndex, usual: Usual, sum: ScoreSum) {
    this.#searched = searched;
    this.#sum = sum;
    this.#usual = usual;
    this.sessions = new Float32Array(searched.view.sessionLengths.length);
    this.#sessionCounts = new Float32Array(this.sessions.length);
    this.#touchedSessions = new Uint32Array(this.sessions.length);
  }

  /** Counts a term in documents, near them and in sessions. */
  count(hash: number): void {
    const parts = this.#searched.view.index.postings.find(hash);
    this.#reset();
    for (const part of parts) this.#countOwn(part);
    this.inContext = this.documents;
    if (this.#searched.weights.isEmpty) return;
    for (const part of parts) this.#lend(part);
    for (const part of parts) this.#countSessions(part);
  }

  /** Takes over the counts of a frequent term. */
  countLate({ documents, sessions, sessionCounts }: LateTerm): void {
    this.#reset();
    this.documents = documents;
    this.sessionCount = sessions.length;
    this.#touchedSessions.set(sessions);
    for (let at = 0; at < sessions.length; at += 1) {
      this.#sessionCounts[sessions[at] as number] = sessionCounts[at] as number;
    }
  }

  #reset(): void {
    this.documents = 0;
    this.inContext = 0;
    this.sessionCount = 0;
  }

  /** Counts the term in each visible document. */
  #countOwn({ documents, own, also }: TermDocuments): void {
    const { view, scratch } = this.#searched;
    const lengths = view.index.documents.ownLengths;
    const { scores, counted } = scratch;
    const [visible, usual] = [view.visible, this.#usual.length];
    let count = this.documents;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      if (visible[document] !== 1) continue;
      const times = (own[at] as number) + (also[at] as number);
      scores[SCORE.size * document + SCORE.count] = normalizedCount(times, lengths[document] as number, usual);
      counted[count] = document;
      count += 1;
    }
    this.documents = count;
  }

  /** Adds the counts of turns, weighted, to their neighbors. */
  #lend({ documents, own }: TermDocuments): void {
    const { view, scratch, weights } = this.#searched;
    const { visible } = view;
    const { scores, counted } = scratch;
    const { documents: near, weights: byWeight } = weights;
    let inContext = this.inContext;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      const lent = own[at] as number;
      if (visible[document] !== 1 || lent === 0) continue;
      const count = weights.lend(document);
      for (let step = 0; step < count; step += 1) {
        const neighbor = near[step] as number;
        const place = SCORE.size * neighbor + SCORE.count;
        const before = scores[place] as number;
        if (before === 0) {
          if (visible[neighbor] !== 1) continue;
          counted[inContext] = neighbor;
          inContext += 1;
        }
        scores[place] = before + lent * (byWeight[step] as number);
      }
    }
    this.inContext = inContext;
  }

  /** Counts the term in sessions. */
  #countSessions({ documents, own }: TermDocuments): void {
    const { index, visible } = this.#searched.view;
    const sessions = index.documents.sessionNumbers;
    const [counts, touched] = [this.#sessionCounts, this.#touchedSessions];
    let size = this.sessionCount;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      const session = sessions[document] as number;
      const count = own[at] as number;
      if (session < 0 || count === 0 || visible[document] !== 1 || !index.documents.isTurn(document)) continue;
      const before = counts[session] as number;
      if (before === 0) {
        touched[size] = session;
        size += 1;
      }
      counts[session] = before + count;
    }
    this.sessionCount = size;
  }

  /** Adds the scores of the counted term to its documents and sessions. */
  score(idf: number, sessionIdf: number): void {
    const { scratch } = this.#searched;
    const { scores, counted, touched } = scratch;
    const own = this.documents;
    let sum = 0;
    let squares = 0;
    let touchedCount = scratch.touchedCount;
    for (let at = 0; at < this.inContext; at += 1) {
      const document = counted[at] as number;
      const start = SCORE.size * document;
      const count = scores[start + SCORE.count] as number;
      const before = scores[start + SCORE.words] as number;
      if (before === 0) {
        touched[touchedCount] = document;
        touchedCount += 1;
      }
      scores[start + SCORE.words] = before + idf * saturated(count);
      // Rounded to 32 bits.
      const after = scores[start + SCORE.words] as number;
      sum += after - before;
      squares += after * after - before * before;
      scores[start + SCORE.cover] = (scores[start + SCORE.cover] as number) + idf * Math.min(1, count);
      if (at < own) scores[start + SCORE.ownCover] = (scores[start + SCORE.ownCover] as number) + idf;
      scores[start + SCORE.count] = 0;
    }
    scratch.touchedCount = touchedCount;
    this.#sum.grow(sum, squares);
    this.scoreSessions(sessionIdf);
  }

  /** Adds the scores of the counted term to its sessions. */
  scoreSessions(idf: number): void {
    const lengths = this.#searched.view.sessionLengths;
    const usual = this.#usual.sessionLength;
    const [sessions, counts, touched] = [this.sessions, this.#sessionCounts, this.#touchedSessions];
    for (let at = 0; at < this.sessionCount; at += 1) {
      const session = touched[at] as number;
      const score = saturatedInSession(counts[session] as number, lengths[session] as number, usual);
      sessions[session] = (sessions[session] as number) + idf * score;
      counts[session] = 0;
    }
  }
}
