import { findDates, type TimeSpan } from "../../language/dates.ts";
import type { MemoryKind } from "../../ports/memory.ts";
import { usualOf, type View } from "./index/view.ts";
import { correctTypos } from "./query/correct-typos.ts";
import { type Deviation, deviationOf, deviationsAbove } from "./query/deviation.ts";
import { asksWhetherDone, isNotEnglish, type Person, questionPerson, questionTerms } from "./query/read-question.ts";
import { type MeaningScores, scoreMeaning } from "./query/score-meaning.ts";
import { scoreDate, scorePerson } from "./query/score-person-and-date.ts";
import { scoreWords, type WeighedTerm, type WordScores } from "./query/score-words.ts";
import { TopK } from "./query/top-k.ts";
import type { SearchIndex } from "./search-index.ts";

/** A query, with the filters that apply to it. */
export interface Question {
  readonly text: string;
  /** Unit vector of the text, by the embedder of the indexes. */
  readonly vector?: Float32Array;
  /** Rarity of a word in general text, from the embedder. See {@link Embedder.rarity}. */
  readonly rarity?: (word: string) => number | undefined;
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
interface Parts {
  /** Standard deviations above the mean: words in or near the document, meaning, words of the whole session. */
  readonly words: number;
  readonly meaning: number;
  readonly session: number;
  /** Cosine similarity; 0 if unknown. */
  readonly cosine: number;
  /** Share of the query's words in or near the document, and in the document itself. Rare words count more. */
  readonly cover: number;
  readonly ownCover: number;
  /** 1 if the document is by the person that the query asks about, or is a memory that names this person. */
  readonly person: number;
  /** Up to 1 if the document is from the time that the query names; less if from the week after. */
  readonly date: number;
  /** 1 if the previous turn ends in a question. */
  readonly answers: number;
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
}

export interface Candidates {
  /** Best first. */
  readonly candidates: readonly Candidate[];
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

/** Weights of the partial scores. Fitted on conversations between people and with assistants; rounded. */
const WORDS = 0.6;
const MEANING = 0.6;
const SESSION = 0.15;
const COVER = 0.6;
const OWN_COVER = 0.5;
const PERSON = 3;
const ANSWERS = 0.45;
const DATE = 1;
const DONE = 0.8;
/** Penalty for a turn of the assistant that ends in a question: an offer or a query is rarely the answer. */
const OFFERS = 0.5;
/** Penalty for a request in a project that has a reply: the reply says what was done and why. */
const ANSWERED = 1.5;

/** A view with the scores of its documents for one query. */
interface Scored {
  readonly view: View;
  readonly words: WordScores;
  readonly meaning: MeaningScores | undefined;
  readonly person: Uint8Array | undefined;
}

/** Mean and deviation of the scores of a query, and properties of the query. */
interface Background {
  readonly words: Deviation;
  readonly meaning: Deviation;
  readonly sessions: Deviation;
  readonly spans: readonly TimeSpan[];
  /** True if the query asks for past actions of a person: "Have I ever …?" */
  readonly ofDeeds: boolean;
}

/** A document of one of the indexes, with its score. */
interface Place {
  readonly index: number;
  readonly document: number;
  readonly id: string;
  readonly score: number;
}

/**
 * Searches several distinct indexes as if they were one. Scores words in and near documents, similarity in meaning,
 * speakers and dates.
 */
export function searchIndexes(indexes: readonly SearchIndex[], question: Question, limit: number): Candidates {
  const views = indexes.map((index) => index.view(question));
  const usual = usualOf(views);
  const person = questionPerson(
    question.text,
    views.flatMap(({ speakers }) => speakers),
  );
  const { terms, scores } = scoreWords(views, correctTypos(questionTerms(question), views), usual);
  const scored = views.map(
    (view, at): Scored => ({
      view,
      words: scores[at] as WordScores,
      meaning: scoreMeaning(view, question.vector),
      person: scorePerson(view, person),
    }),
  );
  const background = backgroundOf(scored, question);
  const candidates = best(scored, background, limit).map((place) =>
    describe(place, scored[place.index] as Scored, background, terms),
  );
  const isForeign = isNotEnglish(question.text);
  const found = { candidates, terms, isForeign, size: usual.documents, usualCosine: background.meaning.mean };
  return person === undefined ? found : { ...found, person };
}

function backgroundOf(scored: readonly Scored[], { text, asOf, now }: Question): Background {
  return {
    words: deviationOf(scored.map(({ words, view }) => ({ scores: words.words, counts: view.visible }))),
    meaning: deviationOf(
      scored.flatMap(({ meaning, view }) => (meaning ? [{ scores: meaning.inContext, counts: view.visible }] : [])),
    ),
    sessions: deviationOf(scored.map(({ words, view }) => ({ scores: words.sessions, counts: view.sessionSizes }))),
    spans: findDates(text, { now: asOf ?? now }).flatMap(({ span }) => span ?? []),
    ofDeeds: asksWhetherDone(text),
  };
}

function sessionScore({ view, words }: Scored, document: number): number {
  const session = view.index.documents.session(document);
  return session >= 0 && view.index.documents.isTurn(document) ? (words.sessions[session] as number) : Number.NaN;
}

function best(scored: readonly Scored[], background: Background, limit: number): readonly Place[] {
  const top = new TopK<Place>(limit, (a, b) => a.score > b.score || (a.score === b.score && a.id < b.id));
  scored.forEach((one, index) => {
    const { visible, index: searched } = one.view;
    const reach = mostBeside(one, background);
    const inBrief = briefScores(one, background);
    for (let document = 0; document < visible.length; document += 1) {
      if (visible[document] !== 1) continue;
      // Most documents score too low to reach the top by the other parts.
      if (top.last !== undefined && (inBrief[document] as number) + reach < top.last.score) continue;
      const score = scoreOf(one, document, background);
      if (top.last !== undefined && score < top.last.score) continue;
      top.offer({ index, document, id: searched.documents.id(document), score });
    }
  });
  return top.best;
}

/** Scores of words and meaning alone, for all documents. This loop is optimized for speed. */
function briefScores({ view, words, meaning }: Scored, background: Background): Float32Array {
  const brief = view.index.scratch.take("brief", Float32Array, words.words.length);
  const { mean, deviation } = background.words;
  const perWord = deviation < 1e-6 ? 0 : WORDS / deviation;
  for (let document = 0; document < brief.length; document += 1) {
    brief[document] =
      perWord * ((words.words[document] as number) - mean) +
      COVER * (words.cover[document] as number) +
      OWN_COVER * (words.ownCover[document] as number);
  }
  const { mean: usual, deviation: spread } = background.meaning;
  if (meaning === undefined || spread < 1e-6) return brief;
  const near = meaning.inContext;
  for (let document = 0; document < brief.length; document += 1) {
    const cosine = near[document] as number;
    if (!Number.isNaN(cosine)) brief[document] = (brief[document] as number) + (MEANING / spread) * (cosine - usual);
  }
  return brief;
}

/** Upper bound of all other parts of the score for a document of a view, with a margin for rounding. */
function mostBeside({ words, person }: Scored, { sessions, spans, ofDeeds }: Background): number {
  const session = words.sessions.reduce((most, score) => Math.max(most, deviationsAbove(score, sessions)), 0);
  return (
    SESSION * session +
    (person === undefined ? 0 : PERSON) +
    ANSWERS +
    (spans.length === 0 ? 0 : DATE) +
    (ofDeeds ? DONE : 0) +
    1e-3
  );
}

/** Score of a document. Rounded, so that the order of additions does not affect the ranking. */
function scoreOf(one: Scored, document: number, background: Background): number {
  const { words, cover, ownCover } = one.words;
  const { index } = one.view;
  const before = index.neighbors.before(document);
  const sum =
    WORDS * deviationsAbove(words[document] as number, background.words) +
    MEANING * deviationsAbove(one.meaning?.inContext[document] ?? Number.NaN, background.meaning) +
    SESSION * deviationsAbove(sessionScore(one, document), background.sessions) +
    COVER * (cover[document] as number) +
    OWN_COVER * (ownCover[document] as number) +
    PERSON * (one.person?.[document] ?? 0) +
    ANSWERS * (before >= 0 && index.documents.asks(before) ? 1 : 0) +
    DONE * (background.ofDeeds && index.documents.tells(document) ? 1 : 0) -
    OFFERS * (isOffer(index, document) ? 1 : 0) -
    ANSWERED * (isAnswered(one.view, document) ? 1 : 0) +
    (background.spans.length === 0 ? 0 : DATE * scoreDate(index.documents.at(document), background.spans));
  return Math.round(sum * 1e4) / 1e4;
}

function isOffer({ documents }: SearchIndex, document: number): boolean {
  return documents.asks(document) && documents.role(document) === documents.roles.find("assistant");
}

function isAnswered({ index: { documents, neighbors }, visible }: View, document: number): boolean {
  const next = neighbors.after(document);
  return visible[next] === 1 && documents.hasProject(document) && documents.isReply(next, document);
}

/** Candidate of a document, with all partial scores. */
function describe(place: Place, one: Scored, background: Background, terms: readonly WeighedTerm[]): Candidate {
  const { index, document, id, score } = place;
  const { documents, neighbors, postings, vectors } = one.view.index;
  const own = terms.filter(({ hash }) => {
    const { own: count, also } = postings.count(document, hash);
    return count + also > 0;
  });
  const before = neighbors.before(document);
  const cosine = one.meaning?.own[document] ?? 0;
  const parts: Parts = {
    words: deviationsAbove(one.words.words[document] as number, background.words),
    meaning: deviationsAbove(one.meaning?.inContext[document] ?? Number.NaN, background.meaning),
    session: deviationsAbove(sessionScore(one, document), background.sessions),
    cosine: Number.isNaN(cosine) ? 0 : cosine,
    cover: one.words.cover[document] as number,
    ownCover: one.words.ownCover[document] as number,
    person: one.person?.[document] ?? 0,
    date: scoreDate(documents.at(document), background.spans),
    answers: before >= 0 && documents.asks(before) ? 1 : 0,
    matched: own,
  };
  const vector = vectors.row(document);
  return {
    id,
    type: documents.isTurn(document) ? "turn" : "memory",
    index,
    score,
    parts,
    ...(vector === undefined ? {} : { vector }),
  };
}
