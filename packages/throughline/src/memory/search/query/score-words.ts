import type { TermDocuments } from "../index/postings.ts";
import type { Usual } from "../index/view.ts";
import { type LateTerm, LateWords, lateTermOf } from "./late-words.ts";
import type { QuestionTerm } from "./read-question.ts";
import { type Deviation, ScoreSum } from "./sample-documents.ts";
import { normalizedCount, rarity, saturated, saturatedInSession } from "./score-document.ts";
import { SCORE, type SearchedIndex } from "./scratch.ts";

/** A word of the query with its weight. Rare words weigh more. */
export interface WeighedTerm extends QuestionTerm {
  readonly idf: number;
  /** Number of visible documents that contain the word. */
  readonly documents: number;
}

/** Scores of the documents of an index by the words of a query. */
export interface WordScores {
  /** Frequent words, which are not part of the scores in the scratch arrays. */
  readonly late: LateWords | undefined;
  /** BM25 by session, as a measure of its topics. */
  readonly sessions: Float32Array;
}

export interface ScoredWords {
  readonly terms: readonly WeighedTerm[];
  /** By index. */
  readonly scores: readonly WordScores[];
  /** Mean and deviation of the BM25 scores of all visible documents. */
  readonly background: Deviation;
  /** Sum of the weights of all terms; of the late ones. */
  readonly totalIdf: number;
  readonly lateIdf: number;
}

/**
 * Scores documents by BM25, where words of neighbors count too, less with their distance. Writes the scores into the
 * scratch arrays of the indexes. Words in more than `lateShare` of the documents are scored later, by {@link
 * LateWords}.
 */
export function scoreWords(
  indexes: readonly SearchedIndex[],
  terms: readonly QuestionTerm[],
  usual: Usual,
  { lateShare, hasVector }: { readonly lateShare: number; readonly hasVector: boolean },
): ScoredWords {
  const late = lateTerms(indexes, terms, lateShare * usual.documents, hasVector);
  const sum = new ScoreSum();
  const counters = indexes.map((index) => new TermCounter(index, usual, sum));
  const total = (of: (counter: TermCounter) => number): number => counters.reduce((all, each) => all + of(each), 0);
  const lateWords = new LateScorer(indexes, [...late], usual);
  const weighed = terms.map((term): WeighedTerm => {
    const isLate = late.has(term);
    counters.forEach((counter, at) => {
      if (isLate) counter.countLate(lateWords.term(term, at));
      else counter.count(term.hash);
    });
    const inContext = isLate ? lateWords.inContext(term) : total((counter) => counter.inContext);
    const inSessions = total(({ sessionCount }) => sessionCount);
    const idf = rarity(inContext, usual.documents, term.specificity);
    const sessionIdf = rarity(inSessions, usual.sessions, term.specificity);
    for (const counter of counters) isLate ? counter.scoreSessions(sessionIdf) : counter.score(idf, sessionIdf);
    return { ...term, idf, documents: total(({ documents }) => documents) };
  });
  const idfs = weighed.filter((_, at) => late.has(terms[at] as QuestionTerm)).map(({ idf }) => idf);
  lateWords.weigh(idfs);
  return {
    terms: weighed,
    scores: counters.map(({ sessions }, at) => ({ sessions, late: lateWords.of(at) })),
    background: lateWords.addTo(sum.deviation(usual.documents)),
    totalIdf: weighed.reduce((all, { idf }) => all + idf, 0) || 1,
    lateIdf: idfs.reduce((all, idf) => all + idf, 0),
  };
}

/** The words that are too frequent to count in all documents. Something else must select candidates. */
function lateTerms(
  indexes: readonly SearchedIndex[],
  terms: readonly QuestionTerm[],
  maxFrequency: number,
  hasVector: boolean,
): ReadonlySet<QuestionTerm> {
  const frequencies = terms.map((term) => ({ term, frequency: frequency(indexes, term.hash) }));
  const late = frequencies.filter((each) => each.frequency > maxFrequency);
  const hasRare = frequencies.some((each) => each.frequency > 0 && !late.includes(each));
  if (!hasVector && !hasRare) late.sort((a, b) => a.frequency - b.frequency).shift();
  return new Set(late.map(({ term }) => term));
}

/** Number of documents with a term, visible or not. */
function frequency(indexes: readonly SearchedIndex[], hash: number): number {
  return indexes
    .flatMap(({ view }) => view.index.postings.find(hash))
    .reduce((sum, { documents }) => sum + documents.length, 0);
}

/** Late words of all indexes. Their statistics are estimated from the samples. */
class LateScorer {
  readonly #indexes: readonly SearchedIndex[];
  readonly #terms: readonly QuestionTerm[];
  readonly #usual: Usual;
  readonly #words: readonly LateWords[];
  /** By index: counts of each term. */
  readonly #counted: readonly (readonly LateTerm[])[];

  constructor(indexes: readonly SearchedIndex[], terms: readonly QuestionTerm[], usual: Usual) {
    this.#indexes = indexes;
    this.#terms = terms;
    this.#usual = usual;
    const hashes = terms.map(({ hash }) => hash);
    this.#words = terms.length === 0 ? [] : indexes.map((index) => new LateWords(index, hashes, usual.length));
    this.#counted = indexes.map((index) => hashes.map((hash) => lateTermOf(index, hash, usual.length)));
  }

  of(index: number): LateWords | undefined {
    return this.#words[index];
  }

  weigh(idfs: readonly number[]): void {
    for (const words of this.#words) words.weigh(idfs);
  }

  /** The counts of a term in an index. */
  term(term: QuestionTerm, index: number): LateTerm {
    return this.#counted[index]?.[this.#terms.indexOf(term)] as LateTerm;
  }

  /** Estimated number of documents that have a term in or near them. */
  inContext(term: QuestionTerm): number {
    const sampled = this.#indexes.reduce((sum, { sample }) => sum + sample.documents.length, 0);
    const near = this.#indexes.reduce((sum, _, index) => sum + this.term(term, index).near, 0);
    return (near / Math.max(1, sampled)) * this.#usual.documents;
  }

  /** Mean and deviation of the sums of late and other scores, given those of the others. */
  addTo(others: Deviation): Deviation {
    if (this.#words.length === 0) return others;
    const [late, both, rare] = [new ScoreSum(), new ScoreSum(), new ScoreSum()];
    this.#words.forEach((words, index) => {
      const { sample, scratch } = this.#indexes[index] as SearchedIndex;
      const counted = this.#counted[index] as readonly LateTerm[];
      sample.documents.forEach((document, at) => {
        counted.forEach(({ counts, isOwn }, term) => {
          words.counts[term] = counts[at] as number;
          words.isOwn[term] = isOwn[at] as number;
        });
        words.scoreCounts();
        const own = scratch.scores[SCORE.size * document + SCORE.words] as number;
        late.add(words.words);
        rare.add(own);
        both.add(own + words.words);
      });
    });
    // The contribution of late words to mean and variance is estimated from the sample; the rest is exact.
    const added = both.deviation().deviation ** 2 - rare.deviation().deviation ** 2;
    return {
      mean: others.mean + late.deviation().mean,
      deviation: Math.sqrt(Math.max(0, others.deviation ** 2 + added)),
    };
  }
}

/**
 * Counts one term at a time in the documents and sessions of an index. Its loops over many documents are optimized for
 * speed.
 */
class TermCounter {
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
