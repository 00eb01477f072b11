import type { Usual } from "../index/view.ts";
import { rarity } from "./bm25.ts";
import { TermCounter } from "./count-term.ts";
import { type Deviation, ScoreSum } from "./deviation.ts";
import { type LateTerm, lateTermOf } from "./late-term.ts";
import { LateWords } from "./late-words.ts";
import type { QuestionTerm } from "./read-question.ts";
import { SCORE } from "./scratch.ts";
import type { SearchedIndex } from "./searched-index.ts";

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
