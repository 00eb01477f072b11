import { findDates } from "../../language/dates.ts";
import type { MemoryKind } from "../../ports/memory.ts";
import { usualOf } from "./index/view.ts";
import {
  asksWhetherDone,
  correctTypos,
  isNotEnglish,
  type Person,
  type QuestionTerm,
  questionPerson,
  questionTerms,
} from "./query/read-question.ts";
import { type Deviation, ScoreSum } from "./query/sample-documents.ts";
import { type Background, DocumentScorer, personTest, type ScoredIndex } from "./query/score-document.ts";
import { scoreMeaning } from "./query/score-meaning.ts";
import { type ScoredWords, scoreWords, type WeighedTerm, type WordScores } from "./query/score-words.ts";
import { prepareIndexes } from "./query/scratch.ts";
import { allDocuments, selectCandidates, turnsBeside } from "./query/select-candidates.ts";
import { TopK } from "./query/top-k.ts";
import type { SearchIndex } from "./search-index.ts";

/** A query, with the filters that apply to it. */
export interface Question {
  readonly text: string;
  /** Unit vector of the text, by the embedder of the indexes. */
  readonly vector?: Float32Array;
  /** Rarity of a word in general text, from the embedder. See {@link Embedder.rarity}. */
  readonly rarity?: (word: string) => number | undefined;
  /** Terms of the text, if they are known. Otherwise they are read from it. */
  readonly terms?: readonly QuestionTerm[];
  readonly now: number;
  /** Searches the state at this time, in milliseconds since 1970. Default: now. */
  readonly asOf?: number;
  readonly from?: "both" | "memories" | "turns";
  /** Only memories of these kinds. Excludes turns. */
  readonly kinds?: readonly MemoryKind[];
  /** Current project. Documents of other projects are hidden. */
  readonly projectId?: string;
  /** Includes documents of all projects. */
  readonly seesAllProjects?: boolean;
}

/** Partial scores of a candidate. */
interface Parts
  extends Readonly<
    Pick<DocumentScorer, "words" | "meaning" | "session" | "cover" | "ownCover" | "person" | "date" | "answers">
  > {
  /** Cosine similarity; 0 if unknown. */
  readonly cosine: number;
  /** Words of the query that the document contains. */
  readonly matched: readonly WeighedTerm[];
}

export interface Candidate {
  readonly id: string;
  readonly type: "memory" | "turn";
  /** Position of the searched index. */
  readonly index: number;
  readonly score: number;
  readonly parts: Parts;
  /** Scaled vector of the document, for the comparison with other candidates. */
  readonly vector?: Int8Array;
  /** Reads the hashes of the stems of the document's text, for the same comparison. Only until the index changes. */
  readonly readStems: () => ReadonlySet<number>;
}

export interface Candidates extends SearchSummary {
  /** Best first. */
  readonly candidates: readonly Candidate[];
}

/** A document that was found. Its numbers can be sent from one thread to another. */
type FoundDocument = Pick<Candidate, "index" | "score" | "parts"> & { readonly document: number };

export interface FoundDocuments extends SearchSummary {
  /** Best first. */
  readonly found: readonly FoundDocument[];
}

/** Statistics of a search, besides the documents. */
interface SearchSummary {
  /** Terms of the query, with their weights. */
  readonly terms: readonly WeighedTerm[];
  /** Person that the query asks about, if there is exactly one. */
  readonly person?: Person;
  /** True if the query is not in English, the language of the word vectors. */
  readonly isForeign: boolean;
  /** Number of visible documents. */
  readonly size: number;
  /** Mean cosine of the visible documents, which is high for some embedders. */
  readonly usualCosine: number;
}

/** Limits of the work for one query. */
export interface SearchEffort {
  /** Up to this many visible documents, all are scored in full. */
  readonly exhaustiveUpTo: number;
  /** Number of documents by words and by meaning to score in full in larger stores, besides their neighbors. */
  readonly candidates: number;
  /** Number of documents from which means and deviations are estimated in larger stores. */
  readonly sampled: number;
  /** Words in more than this share of the documents are looked up only in candidates, by the size of the store. */
  readonly lateShares: readonly { readonly from: number; readonly share: number }[];
}

const EFFORT: SearchEffort = {
  exhaustiveUpTo: 4_096,
  candidates: 400,
  sampled: 2_048,
  lateShares: [
    { from: 500_000, share: 0.02 },
    { from: 50_000, share: 0.05 },
  ],
};
/** Scores every document: the reference for tests and benchmarks. */
export const EXHAUSTIVE: SearchEffort = { ...EFFORT, exhaustiveUpTo: Number.POSITIVE_INFINITY, lateShares: [] };

/** Turns beside candidates are scored for this many times the limit. */
const BESIDE_BEST = 2;

/** A document of one of the indexes, with its score. */
interface Place extends Readonly<Pick<DocumentScorer, "cosine">> {
  readonly index: number;
  readonly document: number;
  readonly score: number;
}

/**
 * Searches several distinct indexes as if they were one. Scores words in and near documents, similarity in meaning,
 * speakers and dates.
 */
export function searchIndexes(
  indexes: readonly SearchIndex[],
  question: Question,
  limit: number,
  effort: SearchEffort = EFFORT,
): Candidates {
  return toCandidates(indexes, findDocuments(indexes, question, limit, effort));
}

/**
 * Adds the index data that the ranking needs to found documents. The indexes must not have changed since the search.
 */
export function toCandidates(indexes: readonly SearchIndex[], { found, ...summary }: FoundDocuments): Candidates {
  return { ...summary, candidates: found.map((one) => toCandidate(indexes[one.index] as SearchIndex, one)) };
}

function toCandidate(searchIndex: SearchIndex, { index, document, score, parts }: FoundDocument): Candidate {
  const { documents, vectors } = searchIndex;
  const vector = vectors.row(document);
  return {
    id: documents.id(document),
    type: documents.isTurn(document) ? "turn" : "memory",
    index,
    score,
    parts,
    readStems: () => searchIndex.textStems(document),
    ...(vector === undefined ? {} : { vector }),
  };
}

/** The search of {@link searchIndexes}, whose result can be sent to another thread. */
export function findDocuments(
  indexes: readonly SearchIndex[],
  question: Question,
  limit: number,
  effort: SearchEffort = EFFORT,
): FoundDocuments {
  const views = indexes.map((index) => index.view(question));
  const usual = usualOf(views);
  const isExhaustive = usual.documents <= effort.exhaustiveUpTo;
  const person = questionPerson(
    question.text,
    views.flatMap(({ speakers }) => speakers),
  );
  const searched = prepareIndexes(views, isExhaustive ? 1 : effort.sampled / usual.documents);
  const asked = correctTypos(question.terms ?? questionTerms(question), views);
  const scoredWords = scoreWords(searched, asked, usual, {
    lateShare: effort.lateShares.find(({ from }) => usual.documents >= from)?.share ?? 1,
    hasVector: question.vector !== undefined,
  });
  const scored = searched.map((one, at): ScoredIndex => {
    const meaning = scoreMeaning(one.view, one.weights, question.vector);
    const words = scoredWords.scores[at] as WordScores;
    return { ...one, words, meaning, isPersons: personTest(one.view.index, person) };
  });
  const background = backgroundOf(scored, scoredWords, question);
  const count = Math.max(effort.candidates, 2 * limit);
  const selected = isExhaustive ? [] : selectCandidates(scored, background, count);
  const isEnough = selected.reduce((sum, { length }) => sum + length, 0) >= limit;
  const documents = isEnough && !isExhaustive ? selected : scored.map(allDocuments);
  const scorers = scored.map((one) => new DocumentScorer(one, background));
  const describers = scored.map((one, at) => describer(one, scorers[at] as DocumentScorer, scoredWords.terms));
  const found = best(scored, scorers, documents, limit).map((place) => (describers[place.index] as Describe)(place));
  return {
    found,
    terms: scoredWords.terms,
    isForeign: isNotEnglish(question.text),
    size: usual.documents,
    usualCosine: background.meaning.mean,
    ...(person === undefined ? {} : { person }),
  };
}

function backgroundOf(
  scored: readonly ScoredIndex[],
  { background, totalIdf, lateIdf }: ScoredWords,
  { text, asOf, now }: Question,
): Background {
  return {
    words: background,
    totalIdf,
    lateIdf,
    meaning: meaningDeviation(scored),
    sessions: sessionDeviation(scored),
    spans: findDates(text, { now: asOf ?? now }).flatMap(({ span }) => span ?? []),
    ofDeeds: asksWhetherDone(text),
  };
}

function meaningDeviation(scored: readonly ScoredIndex[]): Deviation {
  const sum = new ScoreSum();
  for (const { meaning, sample } of scored) {
    meaning?.addTo(sum, sample);
  }
  return sum.deviation();
}

function sessionDeviation(scored: readonly ScoredIndex[]): Deviation {
  const total = new ScoreSum();
  for (const { words, view } of scored) {
    const [sessions, sizes] = [words.sessions, view.sessionSizes];
    let sum = 0;
    let squares = 0;
    let count = 0;
    for (let session = 0; session < sessions.length; session += 1) {
      const score = sessions[session] as number;
      const size = sizes[session] ?? 0;
      sum += size * score;
      squares += size * score * score;
      count += size;
    }
    total.grow(sum, squares, count);
  }
  return total.deviation();
}

/** The best of the given documents and of the turns beside the best of them. */
function best(
  scored: readonly ScoredIndex[],
  scorers: readonly DocumentScorer[],
  documents: readonly Uint32Array[],
  limit: number,
): readonly Place[] {
  const idOf = ({ index, document }: Place): string => (scored[index] as ScoredIndex).view.index.documents.id(document);
  const isBefore = (a: Place, b: Place): boolean =>
    (a.score - b.score || a.cosine - b.cosine || (idOf(a) < idOf(b) ? 1 : -1)) > 0;
  const top = new TopK<Place>(BESIDE_BEST * limit, isBefore);
  const offer = (index: number, some: Uint32Array): void => {
    const scorer = scorers[index] as DocumentScorer;
    for (let at = 0; at < some.length; at += 1) {
      const document = some[at] as number;
      const score = scorer.score(document, top.last?.score);
      if (score !== undefined) top.offer({ index, document, score, cosine: scorer.cosine });
    }
  };
  documents.forEach((some, index) => {
    offer(index, some);
  });
  const first = [...top.best];
  scored.forEach((one, index) => {
    const own = first.filter((place) => place.index === index).map(({ document }) => document);
    offer(index, turnsBeside(one, own, documents[index] as Uint32Array));
  });
  return top.best.slice(0, limit);
}

type Describe = (place: Place) => FoundDocument;

/** Adds all partial scores to documents of an index. */
function describer(one: ScoredIndex, scorer: DocumentScorer, terms: readonly WeighedTerm[]): Describe {
  const { postings } = one.view.index;
  const numbers = terms.map(({ hash }) => postings.number(hash));
  return ({ index, document, score }) => {
    const cosine = one.meaning?.exact(document) ?? 0;
    scorer.score(document);
    const { words, meaning, session, cover, ownCover, person, date, answers } = scorer;
    const parts: Parts = {
      ...{ words, meaning, session, cover, ownCover, person, date, answers },
      cosine: Number.isNaN(cosine) ? 0 : cosine,
      matched: terms.filter((_, at) => postings.place(document, numbers[at] as number) >= 0),
    };
    return { index, document, score, parts };
  };
}
