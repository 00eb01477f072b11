import { findDates, type TimeSpan } from "../../language/dates.ts";
import type { MemoryKind } from "../../ports/memory.ts";
import { type Deviation, deviationOf, deviationsAbove } from "./ask/deviation.ts";
import { asksWhetherDone, type Person, questionPerson, questionTerms } from "./ask/read-question.ts";
import { scoreDate, scorePerson } from "./ask/score-asked.ts";
import { type MeaningScores, scoreMeaning } from "./ask/score-meaning.ts";
import { scoreWords, type WeighedTerm, type WordScores } from "./ask/score-words.ts";
import { Top } from "./ask/top.ts";
import { usualOf, type View } from "./index/view.ts";
import type { SearchIndex } from "./search-index.ts";

/** What is looked for, and what may be seen. */
export interface Question {
  readonly text: string;
  /** Of unit length, by the embedder whose vectors the indexes hold. */
  readonly vector?: Float32Array;
  readonly now: number;
  /** See what was so then, as far as it was known. */
  readonly asOf?: number;
  readonly from?: "both" | "memories" | "turns";
  /** Only memories of these kinds. Turns have none: they are left out then. */
  readonly kinds?: readonly MemoryKind[];
  /** What belongs to a project is seen only by questions of the same project. */
  readonly projectId?: string;
  /** Sees what belongs to any project. */
  readonly seesAllProjects?: boolean;
}

/** What speaks for a candidate. */
interface Parts {
  /** Deviations above what is usual for this question: its words there or near, its meaning, what the session is about. */
  readonly words: number;
  readonly meaning: number;
  readonly session: number;
  /** The cosine; 0 where it is not known. */
  readonly cosine: number;
  /** The share of the question's words that is there or near, and that is there itself; rare words count more. */
  readonly cover: number;
  readonly ownCover: number;
  /** 1 where it is by whom something is asked of. */
  readonly person: number;
  /** 1 where it was said when the question asks for, less where soon after. */
  readonly date: number;
  /** 1 where the turn before it ends in a question. */
  readonly answers: number;
  /** The question's words that it has itself, as they stand in the question. */
  readonly matched: readonly string[];
}

export interface Candidate {
  readonly id: string;
  readonly type: "memory" | "turn";
  /** Which of the indexes. */
  readonly index: number;
  readonly score: number;
  readonly parts: Parts;
  /** Its vector, times some number; compared to tell what says the same. */
  readonly vector?: Int8Array;
}

export interface Candidates {
  /** The best first. */
  readonly candidates: readonly Candidate[];
  /** What was looked for, and how much each word tells. */
  readonly terms: readonly WeighedTerm[];
  /** Of whom something is asked, where that is one person. */
  readonly person?: Person;
  /** How many documents may be seen. */
  readonly size: number;
  /** Their mean cosine: with some embedders any two texts seem alike. */
  readonly usualCosine: number;
}

/** What each part counts. Fitted on conversations between people and with assistants; rounded. */
const WORDS = 0.6;
const MEANING = 0.6;
const SESSION = 0.3;
const COVER = 1.1;
const PERSON = 3;
const ANSWERS = 0.45;
const DATE = 1;
const DONE = 0.8;

/** A view with all that is known of its documents for one question. */
interface Scored {
  readonly view: View;
  readonly words: WordScores;
  readonly meaning: MeaningScores | undefined;
  readonly person: Uint8Array | undefined;
}

/** What is usual for the question. */
interface Background {
  readonly words: Deviation;
  readonly meaning: Deviation;
  readonly sessions: Deviation;
  readonly spans: readonly TimeSpan[];
  /** It is asked for what somebody did. */
  readonly ofDeeds: boolean;
}

/** A document of one of the indexes, and how well it fits. */
interface Place {
  readonly index: number;
  readonly document: number;
  readonly id: string;
  readonly score: number;
}

/**
 * Looks through several indexes, each given once, as if they were one: the question's words in documents and near them,
 * what is near in meaning, by whom it was said and when.
 */
export function searchIndexes(indexes: readonly SearchIndex[], question: Question, limit: number): Candidates {
  const views = indexes.map((index) => index.view(question));
  const usual = usualOf(views);
  const person = questionPerson(
    question.text,
    views.flatMap(({ speakers }) => speakers),
  );
  const { terms, scores } = scoreWords(views, questionTerms(question.text), usual);
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
  const found = { candidates, terms, size: usual.documents, usualCosine: background.meaning.mean };
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
  const top = new Top<Place>(limit, (a, b) => a.score > b.score || (a.score === b.score && a.id < b.id));
  scored.forEach((one, index) => {
    const { visible, index: searched } = one.view;
    const reach = mostBeside(one, background);
    const inBrief = briefScores(one, background);
    for (let document = 0; document < visible.length; document += 1) {
      if (visible[document] !== 1) continue;
      // Most documents are so far behind that nothing else could bring them in.
      if (top.last !== undefined && (inBrief[document] as number) + reach < top.last.score) continue;
      const score = scoreOf(one, document, background);
      if (top.last !== undefined && score < top.last.score) continue;
      top.show({ index, document, id: searched.documents.id(document), score });
    }
  });
  return top.best;
}

/** What words and meaning alone count, for all documents: a loop that is written for speed. */
function briefScores({ view, words, meaning }: Scored, background: Background): Float32Array {
  const brief = view.index.scratch.take("brief", Float32Array, words.words.length);
  const { mean, deviation } = background.words;
  const perWord = deviation < 1e-6 ? 0 : WORDS / deviation;
  for (let document = 0; document < brief.length; document += 1) {
    brief[document] = perWord * ((words.words[document] as number) - mean) + COVER * (words.cover[document] as number);
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

/** The most that everything else can count for a document of a view, and a little more, for numbers are rounded. */
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

/** Rounded, so that the order in which numbers were added up does not decide. */
function scoreOf(one: Scored, document: number, background: Background): number {
  const { words, cover } = one.words;
  const { index } = one.view;
  const before = index.neighbours.before(document);
  const sum =
    WORDS * deviationsAbove(words[document] as number, background.words) +
    MEANING * deviationsAbove(one.meaning?.inContext[document] ?? Number.NaN, background.meaning) +
    SESSION * deviationsAbove(sessionScore(one, document), background.sessions) +
    COVER * (cover[document] as number) +
    PERSON * (one.person?.[document] ?? 0) +
    ANSWERS * (before >= 0 && index.documents.asks(before) ? 1 : 0) +
    DONE * (background.ofDeeds && index.documents.tells(document) ? 1 : 0) +
    (background.spans.length === 0 ? 0 : DATE * scoreDate(index.documents.at(document), background.spans));
  return Math.round(sum * 1e4) / 1e4;
}

/** What speaks for a document, in full. */
function describe(place: Place, one: Scored, background: Background, terms: readonly WeighedTerm[]): Candidate {
  const { index, document, id, score } = place;
  const { documents, neighbours, postings, vectors } = one.view.index;
  const own = terms.filter(({ hash }) => {
    const { own: count, also } = postings.count(document, hash);
    return count + also > 0;
  });
  const weight = (some: readonly WeighedTerm[]): number => some.reduce((sum, { idf }) => sum + idf, 0);
  const before = neighbours.before(document);
  const cosine = one.meaning?.own[document] ?? 0;
  const parts: Parts = {
    words: deviationsAbove(one.words.words[document] as number, background.words),
    meaning: deviationsAbove(one.meaning?.inContext[document] ?? Number.NaN, background.meaning),
    session: deviationsAbove(sessionScore(one, document), background.sessions),
    cosine: Number.isNaN(cosine) ? 0 : cosine,
    cover: one.words.cover[document] as number,
    ownCover: own.length === 0 ? 0 : weight(own) / weight(terms),
    person: one.person?.[document] ?? 0,
    date: scoreDate(documents.at(document), background.spans),
    answers: before >= 0 && documents.asks(before) ? 1 : 0,
    matched: own.map(({ word }) => word),
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
