import type { ChangePhrase } from "../../language/change-phrases.ts";
import { areAlike } from "./read-values.ts";
import { readStatement, type StatedValue, type Statement, statementTerms } from "./statement.ts";

/** Relation of a new statement to an older one. */
export type StatementRelation = "duplicate" | "supersedes" | "contradicts" | "unrelated";

/** A relation with its reason in one sentence. */
export interface Comparison {
  readonly relation: StatementRelation;
  readonly reason: string;
}

const UNRELATED: Comparison = { relation: "unrelated", reason: "" };
/** Share of a statement that a phrase must name to mean it, and of the shorter statement that two must share. */
const MIN_PART = 0.25;
const MIN_SHARE = 0.5;

/**
 * Compares a new statement with an older one. The rules recognize a paraphrase, an explicit change, another value for
 * the same thing, a denial in the same words, and conflicting reports of two people. Everything else counts as
 * unrelated.
 *
 * @example
 * compareStatements("The docs are hosted on Netlify.", "We moved the docs from Netlify to Cloudflare.").relation; //
 * "supersedes"
 */
export function compareStatements(older: string, newer: string): Comparison {
  const [old, fresh] = [readStatement(older), readStatement(newer)];
  if (old.isOpen || fresh.isOpen) return UNRELATED;
  return (
    compareReports(old, fresh) ??
    findDuplicate(old, fresh, older, newer) ??
    findChange(old, fresh, older) ??
    findOtherValue(old, fresh) ??
    findDenial(old, fresh) ??
    UNRELATED
  );
}

/** Compares reports of two sources about the same thing. */
function compareReports(old: Statement, fresh: Statement): Comparison | undefined {
  if (old.report === undefined || fresh.report === undefined) return undefined;
  if (old.report.source === fresh.report.source) return UNRELATED;
  const [left, right] = [old.report.terms, fresh.report.terms];
  const count = shared(left, right).length;
  const isSame = count === Math.max(left.length, right.length) && old.isNegated === fresh.isNegated;
  const isOfSame = count / Math.min(left.length, right.length) >= MIN_SHARE || isSameTerm(left[0], right[0]);
  if (isSame || count === 0 || !isOfSame) return UNRELATED;
  return { relation: "contradicts", reason: `${old.report.source} and ${fresh.report.source} contradict each other.` };
}

function findDuplicate(old: Statement, fresh: Statement, older: string, newer: string): Comparison | undefined {
  if (old.isNegated !== fresh.isNegated || !haveSameValues(old, fresh)) return undefined;
  const [short, long] = old.terms.length <= fresh.terms.length ? [old, fresh] : [fresh, old];
  const marks = short.values.length + Number(short.isNegated);
  if (
    short.terms.length === 0 ||
    short.terms.length + marks < 2 ||
    shared(short.terms, long.terms).length < short.terms.length
  )
    return undefined;
  const text = long === fresh ? newer : older;
  const extra = long.terms.filter((term) => !includesTerm(short.terms, term));
  const most = Math.max(marks === 0 ? 1 : 2, Math.floor(short.terms.length / 2));
  if (extra.length > most || isOfOther(short, long, text)) return undefined;
  return { relation: "duplicate", reason: "Both have the same content." };
}

/** An apposition ("my son Max"), and another person with the speaker ("my partner and I"). */
const SAME_SUBJECT = /\b[Mm](?:y|eine?|i|on|a|eu|inha) \p{Ll}+ (?:\p{Lu}|(?:and|und|y|et|e) (?:I|me|ich|yo|moi|eu)\b)/u;

/** True if the longer statement is about another person or thing: "my sister has two dogs" for "I have two dogs". */
function isOfOther(short: Statement, long: Statement, text: string): boolean {
  const first = long.terms.findIndex((term) => includesTerm(short.terms, term));
  if (/\p{L}['’]s\b/u.test(text) && long.terms.length > short.terms.length) return true;
  if (first <= 0) return false;
  return first > 1 || !SAME_SUBJECT.test(text);
}

function haveSameValues(a: Statement, b: Statement): boolean {
  const list = ({ values }: Statement) =>
    values
      .map(({ kind, value }) => `${kind} ${value}`)
      .sort()
      .join();
  return list(a) === list(b);
}

/**
 * A change that the new statement expresses: of the older statement, or of something to which it gives another value.
 */
function findChange(old: Statement, fresh: Statement, older: string): Comparison | undefined {
  // A reported claim of another person does not end because of the speaker's actions.
  if (old.report !== undefined) return undefined;
  for (const change of fresh.changes) {
    const found = compareChange(old, fresh, change, older);
    if (found !== undefined) return found;
  }
  const value = fresh.statesNewState || fresh.changes.length > 0 ? otherValue(old, fresh) : undefined;
  const count = shared(old.terms, fresh.terms).length;
  const share = count / Math.max(1, Math.min(old.terms.length, fresh.terms.length));
  return value !== undefined && count > 0 && share >= MIN_SHARE ? supersedes(describeValues(value)) : undefined;
}

/** The speaker, or the speaker's group, as the subject. */
const OF_SPEAKER = /^(?:i|we|my|our|ich|wir|mein|unser|yo|nosotros|mi|je|j|nous|on|eu|nós|nosso)\b|^[我私]/iu;
/** "hosted on Netlify", "in Porto", "through a proxy": the place or the means of something. */
const PLACED =
  /\b(?:on|in|at|with|via|through|by|using|under|to|auf|im|mit|bei|über|en|con|por|dans|sur|avec|chez|em|com|no|na) [^,.;]{1,40}[.!]?$|[在用]|で/iu;

function compareChange(
  old: Statement,
  fresh: Statement,
  { old: ended, subject = "", now = "" }: ChangePhrase,
  older: string,
): Comparison | undefined {
  if (ended !== undefined && coversPart(old, ended)) return supersedes(`It says that this ended: ${ended.trim()}.`);
  const about = statementTerms(subject);
  const isOfSame = about.length > 0 && shared(about, old.terms).length === about.length;
  if (isOfSame && otherValue(old, fresh) !== undefined) return supersedes(`It says what changed: ${subject.trim()}.`);
  const target = statementTerms(now);
  const known = shared(target, old.terms).length;
  const isOfTarget = about.length === 0 && known > 0 && OF_SPEAKER.test(older);
  // Only the subject is the same, so another attribute of it may have changed.
  if (!(isOfSame || isOfTarget) || known === target.length || !PLACED.test(older)) return undefined;
  return { relation: "contradicts", reason: `It says what changed: ${(isOfSame ? subject : now).trim()}.` };
}

/** True if a phrase names a part of a statement that is large enough to refer to it. */
function coversPart(old: Statement, phrase: string): boolean {
  const terms = [...new Set(statementTerms(phrase))];
  const found = shared(terms, old.terms).length;
  return terms.length > 0 && found === terms.length && found / old.terms.length >= MIN_PART;
}

function supersedes(reason: string): Comparison {
  return { relation: "supersedes", reason };
}

interface TwoValues {
  readonly old: StatedValue;
  readonly fresh: StatedValue;
}

/** Two values that answer the same question differently. */
function otherValue(old: Statement, fresh: Statement): TwoValues | undefined {
  if (areDistinguished(old.terms, fresh.terms)) return undefined;
  const differing = old.values.flatMap((mine): readonly TwoValues[] => {
    const alike = fresh.values.filter(
      (value) => areAlike(value, mine) && (mine.kind !== "count" || value.of === mine.of),
    );
    const [first] = alike;
    const isOther = first !== undefined && alike.every(({ value }) => value !== mine.value);
    return isOther ? [{ old: mine, fresh: first }] : [];
  });
  // If two numbers differ, one may identify the thing: "hall 3 has door 21".
  return differing.length === 1 ? differing[0] : undefined;
}

/** True if another word distinguishes the things: "the payment provider" and "the mail provider". */
function areDistinguished(terms: readonly string[], others: readonly string[]): boolean {
  const heads = (own: readonly string[], not: readonly string[]) =>
    own.filter((_, at) => at > 0 && !includesTerm(not, own[at - 1] ?? ""));
  const right = heads(others, terms);
  return heads(terms, others).some((head) => includesTerm(right, head));
}

/** The same words with another number, without a word of change. */
function findOtherValue(old: Statement, fresh: Statement): Comparison | undefined {
  const value = otherValue(old, fresh);
  if (value === undefined || old.isNegated !== fresh.isNegated) return undefined;
  const [short, long] = old.terms.length <= fresh.terms.length ? [old.terms, fresh.terms] : [fresh.terms, old.terms];
  if (short.length < 1 || shared(short, long).length < short.length || long.length - short.length > 1) return undefined;
  if (!isSameTerm(short[0], long[0])) return undefined;
  return { relation: "contradicts", reason: describeValues(value) };
}

function describeValues({ old, fresh }: TwoValues): string {
  return `One says ${old.value}, the other ${fresh.value}${old.kind === "count" && old.of !== undefined ? ` (${old.of})` : ""}.`;
}

/** The same words, negated in one of the two. */
function findDenial(old: Statement, fresh: Statement): Comparison | undefined {
  if (old.isNegated === fresh.isNegated || !haveSameValues(old, fresh)) return undefined;
  const count = shared(old.terms, fresh.terms).length;
  const most = Math.max(old.terms.length, fresh.terms.length);
  if (count < 2 || most - count > 1) return undefined;
  return { relation: "contradicts", reason: "One denies the other." };
}

function shared(terms: readonly string[], others: readonly string[]): readonly string[] {
  return terms.filter((term) => includesTerm(others, term));
}

function includesTerm(terms: readonly string[], wanted: string): boolean {
  return terms.some((term) => isSameTerm(term, wanted));
}

/** True for equal terms and for forms of one word: `allerg` and `allergi`. */
function isSameTerm(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 5 && !/\d/.test(long) && long.length - short.length <= 2 && long.startsWith(short);
}
