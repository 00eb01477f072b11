import { findConstraints, termHashes } from "throughline/internal";

/** Rules in a longer text are mostly part of a prompt that is used again and again. */
const MAX_TEXT = 1_500;
/**
 * Terms that two rules must share, as a number and as a share of the terms of both. Rules with fewer terms must have the
 * same ones.
 */
const MIN_SHARED = { terms: 3, share: 0.6 } as const;
const MIN_TERMS = 2;
/** Groups that are compared for one term: frequent terms say little. */
const MAX_GROUPS = 50;

/** A user's message in its place. */
interface StatedRule {
  /** The user's own words. */
  readonly own: string;
  readonly at: number;
  readonly sessionId: string;
  readonly project: string | undefined;
  /** True if the assistant has replied or acted before. */
  readonly isReply: boolean;
}

/** A rule that the user gave again after it had left the window. */
export interface RepeatedRule {
  /** The user's words when the rule was last given. */
  readonly text: string;
  /** How often it was given. */
  readonly times: number;
  readonly sessions: number;
  /** Times of the first and the last one. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly project: string | undefined;
}

interface Group {
  readonly project: string | undefined;
  readonly terms: Terms;
  /** Last place in which it was given: a session between two compactions. */
  place: string;
  readonly sessions: Set<string>;
  readonly firstAt: number;
  lastAt: number;
  text: string;
  times: number;
}

/** Finds rules that the user gave several times: in another session, or after a compaction that lost them. */
export class RuleLog {
  readonly #byTerm = new Map<number, Group[]>();
  /** Groups by the place in which they were last given. */
  readonly #byPlace = new Map<string, Set<Group>>();
  /** Compactions so far, by session. */
  readonly #windows = new Map<string, number>();

  add(said: StatedRule): void {
    if (said.own.length > MAX_TEXT) return;
    for (const { text } of findConstraints(said.own, { isReply: said.isReply })) this.#note(text, said);
  }

  /** Notes that a session was compacted. Rules in the summary are still in the window. */
  compaction(sessionId: string, summary: string): void {
    const before = this.#placeOf(sessionId);
    this.#windows.set(sessionId, (this.#windows.get(sessionId) ?? 0) + 1);
    const kept = termsOf(summary);
    for (const group of [...(this.#byPlace.get(before) ?? [])]) {
      if (sharedBy(group.terms, kept) / group.terms.size >= MIN_SHARED.share)
        this.#move(group, this.#placeOf(sessionId));
    }
  }

  /** Most often given first. */
  repeated(): readonly RepeatedRule[] {
    return [...this.#byPlace.values()]
      .flatMap((groups) => [...groups])
      .filter(({ times }) => times > 1)
      .sort((a, b) => b.times - a.times || b.lastAt - a.lastAt)
      .map(({ text, times, sessions, firstAt, lastAt, project }) => {
        return { text, times, sessions: sessions.size, firstAt, lastAt, project };
      });
  }

  #note(text: string, { sessionId, project, at }: StatedRule): void {
    const terms = termsOf(text);
    if (terms.size < MIN_TERMS) return;
    const place = this.#placeOf(sessionId);
    const group = this.#find(terms, project);
    if (group === undefined) {
      const sessions = new Set([sessionId]);
      this.#open({ project, terms, place, sessions, firstAt: at, lastAt: at, text, times: 1 });
    } else if (group.place !== place) {
      this.#move(group, place);
      group.sessions.add(sessionId);
      Object.assign(group, { text, lastAt: Math.max(group.lastAt, at), times: group.times + 1 });
    }
  }

  #find(terms: Terms, project: string | undefined): Group | undefined {
    const candidates = new Set([...terms].flatMap((term) => this.#byTerm.get(term) ?? []));
    return [...candidates].find((group) => group.project === project && areAlike(terms, group.terms));
  }

  #open(group: Group): void {
    this.#move(group, group.place);
    for (const term of group.terms) {
      const known = this.#byTerm.get(term) ?? [];
      if (known.length < MAX_GROUPS) this.#byTerm.set(term, [...known, group]);
    }
  }

  #move(group: Group, place: string): void {
    this.#byPlace.get(group.place)?.delete(group);
    const there = this.#byPlace.get(place) ?? new Set();
    this.#byPlace.set(place, there.add(group));
    group.place = place;
  }

  #placeOf(sessionId: string): string {
    return `${sessionId} ${this.#windows.get(sessionId) ?? 0}`;
  }
}

/** True if two texts state the same rule, maybe in other words. */
export function isSameRule(a: string, b: string): boolean {
  return areAlike(termsOf(a), termsOf(b));
}

type Terms = ReadonlySet<number>;

function termsOf(text: string): Terms {
  return termHashes(text);
}

function areAlike(a: Terms, b: Terms): boolean {
  const shared = sharedBy(a, b);
  const all = a.size + b.size - shared;
  // If each has a term that the other lacks, they are about different things: the cart page and the order page.
  if (shared < Math.min(a.size, b.size)) return false;
  return shared === all || (shared >= MIN_SHARED.terms && shared / all >= MIN_SHARED.share);
}

function sharedBy(terms: Terms, others: Terms): number {
  return [...terms].filter((term) => others.has(term)).length;
}
