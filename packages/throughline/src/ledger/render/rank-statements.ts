import { termHashes } from "../../language/terms.ts";
import { findIdentifiers } from "../find-identifiers.ts";
import type { Ledger, LedgerRequest, LedgerStatement } from "../ledger.ts";
import { isLead, isVague, sentenceWeight, VAGUE_WEIGHT } from "../statements.ts";
import { isFollowedBy, type NoteDraft } from "./note-draft.ts";

/** A statement with the request that it belongs to. */
export interface PlacedStatement {
  readonly statement: LedgerStatement;
  /** `undefined` before the first request. */
  readonly request: LedgerRequest | undefined;
  /** The statement after it, if it ends with a colon. */
  readonly announced?: PlacedStatement | undefined;
}

/** A statement with the data for its rank. */
interface Candidate extends PlacedStatement {
  readonly weight: number;
  readonly terms: ReadonlySet<number>;
}

/** The weight of a request decays with its age, as a share of all requests, down to a minimum. */
const OLD_WEIGHT = 0.25;
const FADING = 0.45;
/** Higher weights for statements of the last reply to a request, and for the first ones of a reply. */
const CONCLUSION_WEIGHT = 1.2;
const LEAD_WEIGHT = 0.3;
const LEADS = 2;
/** A whole sentence is more informative alone than an item of a list. */
const SENTENCE = /[.!?…。！？]\W{0,4}$/;
const FRAGMENT_WEIGHT = 0.7;
/** Weight of a word that the note already contains. */
const REPEATED = 0.3;
const NOVELTY_BASE = 0.2;
/** Cost of a sentence: grows with its length, but less than proportionally. */
const COST_BASE = 40;
const COST_POWER = 0.25;
/** Factor by which each statement of a request lowers the rank of its next one. */
const CROWDING = 0.15;
const FOCUS_WEIGHT = 3;
/** Share of the terms of a statement that another one of the same request has, from which it counts as a repetition. */
const SAME_SHARE = 0.8;
/** Shorter statements may share all of their terms by chance. */
const MIN_SAME_TERMS = 5;
const NUMBER = /\d+(?:[.,]\d+)*/g;
/** The first statement about a request also has the cost of the line with the request: this share of its characters. */
const MAX_REQUEST_LENGTH = 160;
const REQUEST_SHARE = 0.6;
/** Words with which the user objects to the last reply, whose statements may be withdrawn. */
const CORRECTION =
  /^\W*(?:no\b|nope|but\b|are you sure|that['’]?s (?:not|wrong)|wrong|wait|actually|not quite|it['’]?s still|it is still|still\b)/i;
const CORRECTED_WEIGHT = 0.6;

interface StatementQueueOptions {
  /** Words that matter most to the reader, in lower case. */
  readonly focus: readonly string[];
  /** Statements that the note already contains. */
  readonly taken: ReadonlySet<LedgerStatement>;
}

/** A statement that the note contains, as far as others are compared with it. */
interface TakenStatement {
  readonly terms: ReadonlySet<number>;
  /** Numbers, files and identifiers, read when they are needed. */
  readonly specifics: () => ReadonlySet<string>;
}

/**
 * Returns the statements of a ledger, each time the one that adds most to those already taken: conclusions first, of
 * recent requests, in new words. Those that say nearly the same about another number, file or name come last, in order.
 * Deterministic.
 */
export class StatementQueue {
  readonly #candidates: { readonly candidate: Candidate; bound: number }[];
  readonly #told: Set<number>;
  /** Statements that the note contains, by request. */
  readonly #taken = new Map<LedgerRequest | undefined, TakenStatement[]>();
  /** Candidates in nearly the words of a statement that the note contains. */
  readonly #similar: Candidate[] = [];
  #hasSorted = false;

  readonly #draft: NoteDraft;

  constructor(ledger: Ledger, draft: NoteDraft, { focus, taken }: StatementQueueOptions) {
    this.#draft = draft;
    this.#told = termsOf(draft.text());
    const all = candidatesOf(ledger, focus);
    for (const { statement, request, terms } of all) {
      if (taken.has(statement)) this.#addTaken(request, statement.text, terms);
    }
    this.#candidates = all
      .filter(({ statement }) => !taken.has(statement))
      .map((candidate) => ({ candidate, bound: this.#rank(candidate) }))
      .sort((a, b) => a.bound - b.bound || compare(b.candidate, a.candidate));
  }

  /** Removes and returns the next statement; `undefined` if there is none. */
  next(): PlacedStatement | undefined {
    // Ranks only fall, so a candidate that is still above the bound of the next one is the best.
    for (;;) {
      const best = this.#candidates.pop();
      if (best === undefined) return this.#nextSimilar();
      best.bound = this.#rank(best.candidate);
      const rival = this.#candidates.at(-1);
      if (rival !== undefined && best.bound < rival.bound) this.#insert(best);
      else if (this.#nearlySame(best.candidate).length === 0) return best.candidate;
      else this.#similar.push(best.candidate);
    }
  }

  /** The next statement in the words of others, in the order of the session, if it names something that they do not. */
  #nextSimilar(): PlacedStatement | undefined {
    if (!this.#hasSorted) this.#similar.sort((a, b) => compare(b, a));
    this.#hasSorted = true;
    for (let next = this.#similar.pop(); next !== undefined; next = this.#similar.pop()) {
      const names = [...specificsOf(next.statement.text)];
      const isKnown = ({ specifics }: TakenStatement) => names.every((name) => specifics().has(name));
      if (!this.#nearlySame(next).some(isKnown)) return next;
    }
    return undefined;
  }

  /** Records that the note contains a statement. */
  take({ statement, request }: PlacedStatement): void {
    const terms = termsOf(statement.text);
    for (const term of terms) this.#told.add(term);
    const isFirst = !this.#taken.has(request);
    this.#addTaken(request, statement.text, terms);
    if (isFirst) this.#rankAgain(request);
  }

  #addTaken(request: LedgerRequest | undefined, text: string, terms: ReadonlySet<number>): void {
    const others = this.#taken.get(request);
    let specifics: ReadonlySet<string> | undefined;
    const taken = { terms, specifics: () => (specifics ??= specificsOf(text)) };
    if (others === undefined) this.#taken.set(request, [taken]);
    else others.push(taken);
  }

  /** The statements of the same request in the note that have nearly the same words. */
  #nearlySame({ request, terms }: Candidate): readonly TakenStatement[] {
    if (terms.size < MIN_SAME_TERMS) return [];
    const shared = (taken: TakenStatement) => [...terms].filter((term) => taken.terms.has(term)).length;
    return this.#taken.get(request)?.filter((taken) => shared(taken) >= SAME_SHARE * terms.size) ?? [];
  }

  #rank({ statement, request, weight, terms }: Candidate): number {
    let fresh = 0;
    for (const term of terms) fresh += this.#told.has(term) ? REPEATED : 1;
    const novelty = NOVELTY_BASE + (terms.size === 0 ? 0 : fresh / terms.size);
    const line =
      request === undefined || this.#draft.hasRequest(request)
        ? 0
        : Math.min(request.text.length, MAX_REQUEST_LENGTH) * REQUEST_SHARE;
    const crowd = 1 + CROWDING * (this.#taken.get(request)?.length ?? 0);
    return (weight * novelty) / (line + statement.text.length + COST_BASE) ** COST_POWER / crowd;
  }

  /**
   * Ranks the statements of a request again: its first statement has paid for the line with the request, so the others
   * become cheaper.
   */
  #rankAgain(request: LedgerRequest | undefined): void {
    const isOf = ({ candidate }: { readonly candidate: Candidate }) => candidate.request === request;
    const again = this.#candidates.filter(isOf);
    const others = this.#candidates.filter((entry) => !isOf(entry));
    this.#candidates.splice(0, this.#candidates.length, ...others);
    for (const entry of again) {
      entry.bound = this.#rank(entry.candidate);
      this.#insert(entry);
    }
  }

  #insert(entry: { readonly candidate: Candidate; bound: number }): void {
    let low = 0;
    let high = this.#candidates.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#candidates[middle]?.bound ?? 0) < entry.bound) low = middle + 1;
      else high = middle;
    }
    this.#candidates.splice(low, 0, entry);
  }
}

function candidatesOf({ statements, requests }: Ledger, focus: readonly string[]): Candidate[] {
  const conclusions = new Map<LedgerRequest | undefined, number>();
  const placed = statements.map((statement): PlacedStatement => {
    const request = requests.findLast(({ at }) => at <= statement.at);
    conclusions.set(request, Math.max(conclusions.get(request) ?? 0, statement.at));
    return { statement, request };
  });
  const corrected = new Set(requests.filter((_, index) => CORRECTION.test(requests[index + 1]?.text ?? "")));
  return placed.map(({ statement, request }, index): Candidate => {
    const next = placed[index + 1];
    const announced = isLead(statement.text) && isFollowedBy(statement, next?.statement) ? next : undefined;
    const age = request === undefined ? requests.length : requests.length - 1 - requests.indexOf(request);
    const recency = OLD_WEIGHT + Math.exp(-age / (FADING * Math.max(1, requests.length)));
    // An option that the user chose has the position of the request.
    const isConclusion = conclusions.get(request) === statement.at || request?.at === statement.at;
    const place = (isConclusion ? CONCLUSION_WEIGHT : 0) + (statement.order < LEADS ? LEAD_WEIGHT : 0);
    const isInFocus = focus.some((word) => statement.text.toLowerCase().includes(word));
    const doubt = request !== undefined && corrected.has(request) ? CORRECTED_WEIGHT : 1;
    const form = (SENTENCE.test(statement.text) ? 1 : FRAGMENT_WEIGHT) * (isVague(statement.text) ? VAGUE_WEIGHT : 1);
    const weight = (sentenceWeight(statement.text) + place) * form * recency * doubt * (isInFocus ? FOCUS_WEIGHT : 1);
    return { statement, request, weight, terms: termsOf(statement.text), announced };
  });
}

/** Numbers, files and identifiers of a statement. */
function specificsOf(text: string): ReadonlySet<string> {
  return new Set([...(text.match(NUMBER) ?? []), ...findIdentifiers(text).keys()]);
}

function termsOf(text: string): Set<number> {
  return termHashes(text);
}

function compare(a: PlacedStatement, b: PlacedStatement): number {
  return a.statement.at - b.statement.at || a.statement.order - b.statement.order;
}
