import type { TimeSpan } from "../../../language/dates.ts";
import { readTerms } from "../../../language/terms.ts";
import { UNKNOWN } from "../index/ids.ts";
import type { View } from "../index/view.ts";
import type { SearchIndex } from "../search-index.ts";
import type { Person } from "./read-question.ts";
import { type Deviation, deviationsAbove } from "./sample-documents.ts";
import type { MeaningScores } from "./score-meaning.ts";
import type { ScoredWords, WordScores } from "./score-words.ts";
import { SCORE, type SearchedIndex } from "./scratch.ts";

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
/** Penalty for a request in a project that has a reply: the reply has the work and its reason. */
const ANSWERED = 1.5;
/** For rounding. */
const MARGIN = 1e-3;

/** An index with the scores of its documents for one query. */
export interface ScoredIndex extends SearchedIndex {
  readonly words: WordScores;
  readonly meaning: MeaningScores | undefined;
  readonly isPersons: ((document: number) => boolean) | undefined;
}

/** Means and deviations of the scores of a query, and properties of the query. */
export interface Background extends Pick<ScoredWords, "totalIdf" | "lateIdf"> {
  readonly words: Deviation;
  readonly meaning: Deviation;
  readonly sessions: Deviation;
  readonly spans: readonly TimeSpan[];
  /** True if the query asks for past actions of a person: "Have I ever …?" */
  readonly ofDeeds: boolean;
}

/** Weights of the numbers in the scratch array, by which candidates are selected by rarer words alone. */
export function briefWeights({
  words,
  totalIdf,
}: Background): Readonly<Record<"words" | "cover" | "ownCover", number>> {
  return {
    words: words.deviation < 1e-6 ? 0 : WORDS / words.deviation,
    cover: COVER / totalIdf,
    ownCover: OWN_COVER / totalIdf,
  };
}

/** Weight of one unit of cosine in the score. */
export function weightOfMeaning({ meaning }: Background): number {
  return meaning.deviation < 1e-6 ? 0 : MEANING / meaning.deviation;
}

/** The parts of the score by person and date, which can outweigh words and meaning. */
export function personAndDateScore({ view, isPersons }: ScoredIndex, document: number, background: Background): number {
  const person = isPersons?.(document) ? PERSON : 0;
  if (background.spans.length === 0) return person;
  return person + DATE * scoreDate(view.index.documents.at(document), background.spans);
}

/** Upper bound of {@link personAndDateScore}. */
export function maxPersonAndDateScore({ isPersons }: ScoredIndex, { spans }: Background): number {
  return (isPersons === undefined ? 0 : PERSON) + (spans.length === 0 ? 0 : DATE);
}

/** Scores one document at a time in full. The partial scores of the last one are in the fields. */
export class DocumentScorer {
  /** Standard deviations above the mean: words in or near the document, meaning, words of the whole session. */
  words = 0;
  meaning = 0;
  session = 0;
  /** Share of the query's words in or near the document, and in the document itself. Rare words count more. */
  cover = 0;
  ownCover = 0;
  /** 1 if the document is by the person that the query asks about, or is a memory that names this person. */
  person = 0;
  /** Up to 1 if the document is from the time that the query names; less if from the week after. */
  date = 0;
  /** 1 if the previous turn ends in a question. */
  answers = 0;
  /** Decides between equal scores: the cosine, if the vectors are precise enough; otherwise 0. */
  cosine = 0;
  readonly #one: ScoredIndex;
  readonly #background: Background;
  /** Upper bounds of the contribution of late words and of the meaning to a score, with a margin for rounding. */
  readonly #maxLate: number;
  readonly #maxMeaning: number;
  readonly #assistant: number;

  constructor(one: ScoredIndex, background: Background) {
    this.#one = one;
    this.#background = background;
    this.#maxLate = maxLateScore(background);
    const nearest = one.meaning?.nearest ?? Number.NaN;
    this.#maxMeaning = Math.max(0, MEANING * deviationsAbove(nearest, background.meaning)) + MARGIN;
    this.#assistant = one.view.index.documents.roles.find("assistant");
  }

  /**
   * The score of a document; `undefined` if it is below `least`. Rounded, so that the order of additions does not
   * affect the ranking.
   */
  score(document: number, least: number = Number.NEGATIVE_INFINITY): number | undefined {
    this.#scoreRareWords(document);
    const beside = this.#scoreBeside(document);
    // Most candidates are too far behind for the parts that take more time.
    if (this.#sumOfWords() + beside + this.#maxMeaning + this.#maxLate < least) return undefined;
    const { meaning } = this.#one;
    const cosine = meaning?.inContext(document) ?? Number.NaN;
    this.meaning = deviationsAbove(cosine, this.#background.meaning);
    this.cosine = meaning?.isFine && !Number.isNaN(cosine) ? cosine : 0;
    const rest = beside + MEANING * this.meaning;
    if (this.#sumOfWords() + rest + this.#maxLate < least) return undefined;
    if (this.#maxLate > 0) this.#scoreLateWords(document);
    const sum = round(this.#sumOfWords() + rest);
    return sum < least ? undefined : sum;
  }

  #sumOfWords(): number {
    return WORDS * this.words + COVER * this.cover + OWN_COVER * this.ownCover;
  }

  #scoreRareWords(document: number): void {
    const { scores } = this.#one.scratch;
    const { words, totalIdf } = this.#background;
    const start = SCORE.size * document;
    this.words = deviationsAbove(scores[start + SCORE.words] as number, words);
    // Rounded like the sums of weights, so that all words of a query are a share of 1.
    this.cover = Math.fround((scores[start + SCORE.cover] as number) / totalIdf);
    this.ownCover = Math.fround((scores[start + SCORE.ownCover] as number) / totalIdf);
  }

  #scoreLateWords(document: number): void {
    const { late } = this.#one.words;
    if (late === undefined) return;
    const { scores } = this.#one.scratch;
    const { words, totalIdf } = this.#background;
    late.score(document);
    this.words = deviationsAbove((scores[SCORE.size * document + SCORE.words] as number) + late.words, words);
    this.cover += late.cover / totalIdf;
    this.ownCover += late.ownCover / totalIdf;
  }

  /** The sum of all parts except for words and meaning. */
  #scoreBeside(document: number): number {
    const { view, isPersons } = this.#one;
    const { documents, neighbors } = view.index;
    const background = this.#background;
    const before = neighbors.before(document);
    this.session = deviationsAbove(sessionScore(this.#one, document), background.sessions);
    this.person = isPersons?.(document) ? 1 : 0;
    this.date = background.spans.length === 0 ? 0 : scoreDate(documents.at(document), background.spans);
    this.answers = before >= 0 && documents.asks(before) ? 1 : 0;
    return (
      SESSION * this.session +
      PERSON * this.person +
      DATE * this.date +
      ANSWERS * this.answers +
      DONE * (background.ofDeeds && documents.tells(document) ? 1 : 0) -
      OFFERS * (documents.asks(document) && documents.role(document) === this.#assistant ? 1 : 0) -
      ANSWERED * (isAnswered(view, document) ? 1 : 0)
    );
  }
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}

/** Upper bound of the contribution of late words to a score. */
function maxLateScore({ words, lateIdf, totalIdf }: Background): number {
  if (lateIdf === 0) return 0;
  const saturated = words.deviation < 1e-6 ? 0 : (WORDS * lateIdf * MAX_SATURATED) / words.deviation;
  return saturated + ((COVER + OWN_COVER) * lateIdf) / totalIdf + MARGIN;
}

function sessionScore({ view, words }: ScoredIndex, document: number): number {
  const { documents } = view.index;
  const session = documents.session(document);
  return session >= 0 && documents.isTurn(document) ? (words.sessions[session] ?? 0) : Number.NaN;
}

function isAnswered({ index: { documents, neighbors }, visible }: View, document: number): boolean {
  if (!documents.hasProject(document)) return false;
  const next = neighbors.after(document);
  return visible[next] === 1 && documents.isReply(next, document);
}

/** Events are often mentioned some days later. */
const TOLD_WITHIN = 7 * 86_400_000;
const TOLD_LATER = 0.5;
/** A date in full is also found by its words. */
const WRITTEN_OUT = 0.3;

/** A test of whether a document is by the person that the query is about, or is a memory that names this person. */
export function personTest(
  index: SearchIndex,
  person: Person | undefined,
): ((document: number) => boolean) | undefined {
  if (person === undefined) return undefined;
  return person === "user" ? userTest(index) : speakerTest(index, person.name);
}

function userTest({ documents }: SearchIndex): (document: number) => boolean {
  const role = documents.roles.find("user");
  return (document) => {
    // "How do I …?" in a project is about the work, which the assistant describes as well as the user.
    const isWork = documents.isTurn(document) && documents.hasProject(document);
    if (!isWork && documents.role(document) === role) return true;
    // Facts without a speaker belong to the user.
    return documents.isFact(document) && documents.speaker(document) < 0;
  };
}

function speakerTest({ documents, postings }: SearchIndex, name: string): (document: number) => boolean {
  const speaker = documents.speakers.find(name);
  const terms = readTerms(name)
    .map(({ hash }) => postings.number(hash))
    .filter((term) => term >= 0);
  return (document) =>
    (speaker !== UNKNOWN && documents.speaker(document) === speaker) ||
    (!documents.isTurn(document) && terms.some((term) => postings.place(document, term) >= 0));
}

/** Match of a document's date with the times that a query names: 0 to 1. */
export function scoreDate(at: number, spans: readonly TimeSpan[]): number {
  let best = 0;
  for (const { from, to, isRelative = false } of spans) {
    if (!(at >= from && at < to + TOLD_WITHIN)) continue;
    best = Math.max(best, (at < to ? 1 : TOLD_LATER) * (isRelative ? 1 : WRITTEN_OUT));
  }
  return best;
}

/** BM25 parameters (saturation of repeated words, length normalization) of documents and of sessions. */
const K1 = 0.8;
const B = 0.35;
const SESSION_K1 = 1.2;
const SESSION_B = 0.75;
/**
 * Number of assumed texts without the word, besides the stored ones, because a small store is weak evidence for rarity.
 */
const ASSUMED = 20;
/** Weight of an ordinary word relative to a specific one that is equally rare in the store. */
const ORDINARY_WEIGHT = 0.5;

/** Rarity of a word that `having` of `all` texts contain. */
export function rarity(having: number, all: number, specificity: number): number {
  const factor = ORDINARY_WEIGHT + (1 - ORDINARY_WEIGHT) * specificity;
  return factor * Math.log(1 + (Math.max(0, all + ASSUMED - having) + 0.5) / (having + 0.5));
}

/** The count of a word, lower in a document longer than usual. */
export function normalizedCount(count: number, length: number, usual: number): number {
  return count / (1 - B + (B * length) / usual);
}

/** Largest value of {@link saturated}. */
const MAX_SATURATED: number = K1 + 1;

export function saturated(count: number): number {
  return (count * (K1 + 1)) / (count + K1);
}

export function saturatedInSession(count: number, length: number, usual: number): number {
  return (count * (SESSION_K1 + 1)) / (count + SESSION_K1 * (1 - SESSION_B + (SESSION_B * length) / usual));
}
