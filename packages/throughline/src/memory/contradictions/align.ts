import type { Word } from "../../language/parse-words.ts";
import type { Term } from "./statements/read-terms.ts";
import type { Statement } from "./statements/statement.ts";
import { areSynonyms, isKindOf } from "./words/synonyms.ts";

/** What a family of words adds to its stem: `dancer`, `optimization`, `rocky`. */
const FAMILY = /^(?:e?r|or|ist|ion|ation|ment|ness|ing|ings|al|ance|ence|able|ful|y|ity|ship|e|ed)$/;

/** Whether one base also says what the other says: a synonym, one of its family, or a kind of it, where that counts. */
export function says(said: string, wanted: string, kindsCount: boolean): boolean {
  return areSynonyms(said, wanted) || areFamily(said, wanted) || (kindsCount && isKindOf(said, wanted));
}

function areFamily(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const stem = short.length > 4 && /[ey]$/.test(short) ? short.slice(0, -1) : short;
  return stem.length >= 4 && long.startsWith(stem) && FAMILY.test(long.slice(stem.length));
}

/** How much of what is wanted others say. */
export interface Coverage {
  /** By weight, from 0 to 1; 0 where nothing is wanted. */
  readonly share: number;
  readonly missing: readonly Term[];
}

/** The share of what is wanted that the pool says, and what it leaves unsaid. */
export function coverage(wanted: readonly Term[], pool: readonly string[], kindsCount: boolean): Coverage {
  const missing = wanted.filter(({ base }) => !pool.some((said) => says(said, base, kindsCount)));
  const total = weigh(wanted);
  return { share: total === 0 ? 0 : 1 - weigh(missing) / total, missing };
}

function weigh(terms: readonly Term[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** How far two runs of terms say the same, in both directions. */
export interface Alignment {
  readonly least: number;
  readonly most: number;
  /** How many terms they share. */
  readonly shared: number;
}

/** How far two runs of terms agree. */
export function align(a: readonly Term[], b: readonly Term[], kindsCount: boolean): Alignment {
  const forth = coverage(a, basesOf(b), kindsCount);
  const back = coverage(b, basesOf(a), kindsCount);
  return {
    least: Math.min(forth.share, back.share),
    most: Math.max(forth.share, back.share),
    shared: Math.min(a.length - forth.missing.length, b.length - back.missing.length),
  };
}

export function basesOf(terms: readonly Term[]): readonly string[] {
  return terms.map(({ base }) => base);
}

/** Whether two statements can be of the same person or thing. */
export function shareSubject(a: Statement, b: Statement, kindsCount: boolean): boolean {
  if (a.subject.person !== b.subject.person) return false;
  const [heads, others] = [a.subject.heads, b.subject.heads];
  if (heads.length === 0 || others.length === 0) return true;
  return heads.some((head) => others.some((other) => says(other, head, kindsCount)));
}

/** `Never a or b` denies both: where the pool says one, the other need not be said. */
export function withoutAlternatives(
  words: readonly Word[],
  terms: readonly Term[],
  pool: readonly string[],
): readonly Term[] {
  let wanted = terms;
  for (const [at, { text }] of words.entries()) {
    if (text !== "or") continue;
    const [left, right] = [runBefore(wanted, at), runBehind(wanted, at)];
    if (left.length === 0 || right.length === 0) continue;
    const dropped = coverage(left, pool, true).missing.length === 0 ? right : left;
    wanted = wanted.filter((term) => !dropped.includes(term));
  }
  return wanted;
}

/** The terms that stand without a gap before a place. */
function runBefore(terms: readonly Term[], at: number): readonly Term[] {
  const run: Term[] = [];
  for (const term of terms.toReversed()) if (term.at === at - 1 - run.length) run.push(term);
  return run;
}

function runBehind(terms: readonly Term[], at: number): readonly Term[] {
  const behind = terms.filter((term) => term.at > at);
  const [first] = behind;
  if (first === undefined || first.at > at + 2) return [];
  return behind.filter((term, nth) => term.at === first.at + nth);
}
