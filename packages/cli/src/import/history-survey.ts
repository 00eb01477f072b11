import type { Message } from "throughline";
import { findConstraints, readSpeech, readUserWords } from "throughline/internal/engine";
import { CompactionReviewer } from "throughline/internal/inspect";
import { termHashes } from "throughline/internal/util";
import type { SessionMeta, TranscriptCompaction } from "throughline/transcript";
import { projectOf } from "../config/project.ts";
import { count } from "../terminal/print-values.ts";
import { sessionFolder } from "./import-transcript.ts";

/** A question is worth asking again if it is this long. */
const QUESTION = /(?<![^\s])[^\s.!?？][^.!?？\n]{14,88}[?？]/u;
const MAX_QUESTIONS = 2_000;
/** Longer messages are mostly pasted. */
const MAX_QUESTION_TEXT = 400;

/** A compaction of an agent, and the names needed afterwards that it kept. */
export interface SurveyedCompaction {
  readonly file: string;
  readonly sessionId: string;
  readonly at: number | undefined;
  readonly needed: number;
  readonly kept: number;
  readonly missing: readonly string[];
}

/** A question that the user asked. */
export interface OwnQuestion {
  readonly text: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly at: number;
}

/** Sessions that are read at the same time. A database has many, one after the other. */
const MAX_OPEN = 50;

/** A session that is read. */
interface OpenSession {
  readonly file: string;
  readonly reviewer: CompactionReviewer;
  readonly compactions: TranscriptCompaction[];
  isReply: boolean;
}

/** Collects statistics about imported sessions while they are read. */
export class HistorySurvey {
  readonly #open = new Map<string, OpenSession>();
  /** Ids of sessions that were read to their end, without sub-agents. */
  readonly #sessions = new Set<string>();
  /** By summary, because a resumed session begins with a copy of the earlier one. */
  readonly #compactions = new Map<string, SurveyedCompaction>();
  readonly #rules = new RuleLog();
  readonly #seen = new Set<string>();
  readonly #projects = new Map<string, string>();
  readonly questions: OwnQuestion[] = [];
  messages = 0;
  from = Number.POSITIVE_INFINITY;
  until = 0;

  get compactions(): readonly SurveyedCompaction[] {
    return [...this.#compactions.values()];
  }

  get rules(): readonly RepeatedRule[] {
    return this.#rules.repeated();
  }

  /** Preliminary result for the progress line. */
  get note(): string {
    const { compactions } = this;
    const needed = compactions.reduce((sum, one) => sum + one.needed, 0);
    const kept = compactions.reduce((sum, one) => sum + one.kept, 0);
    const share = needed === 0 ? "" : `; their summaries kept ${Math.round((100 * kept) / needed)}%`;
    const found = compactions.length === 0 ? "" : ` with ${count(compactions.length, "compaction")}${share}`;
    return this.#sessions.size === 0 ? "" : `${count(this.#sessions.size, "session")}${found}`;
  }

  /** Takes a message with its secrets removed, as stored. */
  message(message: Message, file: string, metas: ReadonlyMap<string, SessionMeta>): void {
    const { sessionId, createdAt } = message;
    const session = this.#sessionOf(sessionId, file, metas);
    session.reviewer.message(message);
    this.messages += 1;
    if (createdAt > 0) {
      this.from = Math.min(this.from, createdAt);
      this.until = Math.max(this.until, createdAt);
    }
    if (message.role === "assistant") session.isReply = true;
    else if (message.role === "user") {
      this.#readUserMessage(message, sessionFolder(metas.get(sessionId) ?? {}, metas), session.isReply);
    }
  }

  /** Takes a compaction before the next message of the session. */
  compaction(sessionId: string | undefined, compaction: TranscriptCompaction): void {
    // Sessions of excluded folders have no messages here.
    const session = sessionId === undefined ? undefined : this.#open.get(sessionId);
    if (sessionId === undefined || session === undefined) return;
    session.reviewer.compaction(compaction);
    const { window: _, ...rest } = compaction;
    session.compactions.push(rest);
    this.#rules.compaction(sessionId, compaction.summary ?? "");
  }

  /** Ends the sessions of a file. */
  endFile(metas: ReadonlyMap<string, SessionMeta>): void {
    for (const sessionId of [...this.#open.keys()]) this.#close(sessionId, metas);
  }

  #close(sessionId: string, metas: ReadonlyMap<string, SessionMeta>): void {
    const session = this.#open.get(sessionId);
    if (session === undefined) return;
    this.#open.delete(sessionId);
    if (metas.get(sessionId)?.parentId === undefined) this.#sessions.add(sessionId);
    const { file, reviewer, compactions } = session;
    const reviews = reviewer.reviews(sessionFolder(metas.get(sessionId) ?? {}, metas));
    for (const [i, { createdAt: at, summaryMessageId, line }] of compactions.entries()) {
      const { needed = 0, kept = 0, missing = [] } = reviews[i] ?? {};
      const key = summaryMessageId ?? `${file} ${sessionId} ${line ?? i}`;
      this.#compactions.set(key, { file, sessionId, at, needed, kept, missing });
    }
  }

  #projectOf(folder: string): string {
    const project = this.#projects.get(folder) ?? projectOf(folder).id;
    this.#projects.set(folder, project);
    return project;
  }

  #sessionOf(sessionId: string, file: string, metas: ReadonlyMap<string, SessionMeta>): OpenSession {
    const known = this.#open.get(sessionId);
    const session = known ?? { file, reviewer: new CompactionReviewer(), compactions: [], isReply: false };
    // The most recently read one is last.
    this.#open.delete(sessionId);
    this.#open.set(sessionId, session);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#close(oldest, metas);
    return session;
  }

  #readUserMessage(message: Message, folder: string | undefined, isReply: boolean): void {
    const { id: messageId, sessionId, createdAt: at } = message;
    const speech = readSpeech(message);
    // A resumed session repeats the messages of the earlier one.
    const key = `${at || sessionId} ${speech.slice(0, 80)}`;
    if (speech === "" || this.#seen.has(key)) return;
    this.#seen.add(key);
    const { own } = readUserWords(speech);
    const project = folder === undefined ? undefined : this.#projectOf(folder);
    this.#rules.add({ own, at, sessionId, project, isReply });
    const [text] = own.length > MAX_QUESTION_TEXT ? [] : (QUESTION.exec(own) ?? []);
    if (text !== undefined && this.questions.length < MAX_QUESTIONS)
      this.questions.push({ text, sessionId, messageId, at });
  }
}

/** Rules in a longer text are mostly part of a prompt that is used again and again. */
const MAX_TEXT = 1_500;
/**
 * Terms that two rules must share, as a number and as a share of the terms of both. Rules with fewer terms must have
 * the same ones.
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
  /** Number of times it was given. */
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
