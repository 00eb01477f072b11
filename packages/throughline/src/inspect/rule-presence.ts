import { termHashes } from "../language/terms.ts";
import { readUserWords } from "../ledger/quoted/user-words.ts";
import { findConstraints } from "../ledger/read/find-rules.ts";

/** Rules in a longer text are mostly part of a prompt that is used again and again. */
const MAX_TEXT = 1_500;
const MAX_RULES = 200;
/** Share of a rule's terms that a summary must have to state the rule. */
const MIN_SHARE = 0.6;
const MIN_TERMS = 2;

/** A standing rule of the user, and the calls that had it in their window. */
export interface RulePresence {
  /** The user's words. */
  readonly text: string;
  /** Index of the message that gave it. */
  readonly message: number;
  /** Ranges of calls with the rule in the window, first and last call inclusive. */
  readonly present: readonly (readonly [first: number, last: number])[];
  /** First call without the rule; missing if it never left the window. */
  readonly missingFrom?: number;
  /** Index of the message that gave it again after it had left the window. */
  readonly repeatedAt?: number;
}

interface Rule {
  readonly text: string;
  readonly message: number;
  readonly terms: ReadonlySet<number>;
  readonly present: [number, number][];
  isPresent: boolean;
  missingFrom?: number;
  repeatedAt?: number;
}

/** Follows the user's standing rules through the windows of a session. */
export class RuleTracker {
  readonly #rules: Rule[] = [];

  /** Takes the user's words in a message. */
  speech(speech: string, message: number): void {
    const { own } = readUserWords(speech);
    if (own.length > MAX_TEXT) return;
    for (const { text, kind } of findConstraints(own)) if (kind === undefined) this.#note(text, message);
  }

  /** Rules that the summary or the kept messages do not state leave the window. */
  compaction(rest: string): void {
    const terms = termsOf(rest);
    for (const rule of this.#rules) if (rule.isPresent) rule.isPresent = shareOf(rule.terms, terms) >= MIN_SHARE;
  }

  /** Takes a call. */
  call(index: number): void {
    for (const rule of this.#rules) {
      const last = rule.present.at(-1);
      if (!rule.isPresent) rule.missingFrom ??= index;
      else if (last !== undefined && last[1] === index - 1) last[1] = index;
      else rule.present.push([index, index]);
    }
  }

  result(): readonly RulePresence[] {
    return this.#rules.map(({ isPresent: _, terms: _terms, ...rule }) => rule);
  }

  #note(text: string, message: number): void {
    const terms = termsOf(text);
    if (terms.size < MIN_TERMS) return;
    const known = this.#rules.find((rule) => isSame(rule.terms, terms));
    if (known === undefined) {
      if (this.#rules.length < MAX_RULES) this.#rules.push({ text, message, terms, present: [], isPresent: true });
      return;
    }
    if (!known.isPresent) known.repeatedAt ??= message;
    known.isPresent = true;
  }
}

function termsOf(text: string): ReadonlySet<number> {
  return termHashes(text);
}

function shareOf(terms: ReadonlySet<number>, others: ReadonlySet<number>): number {
  return [...terms].filter((term) => others.has(term)).length / terms.size;
}

function isSame(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return shareOf(a, b) >= MIN_SHARE && shareOf(b, a) >= MIN_SHARE;
}
