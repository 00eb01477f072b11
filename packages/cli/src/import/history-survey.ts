import type { Message } from "throughline";
import { CompactionReviewer, readSpeech, readUserWords } from "throughline/internal";
import type { SessionMeta, TranscriptCompaction } from "throughline/transcript";
import { count } from "../terminal/print-values.ts";
import { projectOf } from "../config/project.ts";
import { sessionFolder } from "./session-project.ts";
import { type RepeatedRule, RuleLog } from "./rule-log.ts";

/** A question is worth asking again if it is this long. */
const QUESTION = /(?<![^\s])[^\s.!?？][^.!?？\n]{14,88}[?？]/u;
const MAX_QUESTIONS = 2_000;
/** Longer messages are mostly pasted. */
const MAX_QUESTION_TEXT = 400;

/** A compaction of an agent, and what it kept of the names that were needed afterwards. */
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

/** Collects what a person wants to know about imported sessions, while they are read. */
export class HistorySurvey {
  readonly #open = new Map<string, OpenSession>();
  /** Ids of sessions that were read to their end, without sub-agents. */
  readonly #sessions = new Set<string>();
  /** By summary, because a resumed session begins with a copy of the earlier one. */
  readonly #compactions = new Map<string, SurveyedCompaction>();
  readonly #rules = new RuleLog();
  readonly #heard = new Set<string>();
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

  /** A first result, for the progress line. */
  get note(): string {
    const { compactions } = this;
    const needed = compactions.reduce((sum, one) => sum + one.needed, 0);
    const kept = compactions.reduce((sum, one) => sum + one.kept, 0);
    const share = needed === 0 ? "" : `; their summaries kept ${Math.round((100 * kept) / needed)}%`;
    const found = compactions.length === 0 ? "" : ` with ${count(compactions.length, "compaction")}${share}`;
    return this.#sessions.size === 0 ? "" : `${count(this.#sessions.size, "session")}${found}`;
  }

  /** Takes a message as it is stored: without secrets. */
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
      this.#listen(message, sessionFolder(metas.get(sessionId) ?? {}, metas), session.isReply);
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

  #listen(message: Message, folder: string | undefined, isReply: boolean): void {
    const { id: messageId, sessionId, createdAt: at } = message;
    const speech = readSpeech(message);
    // A resumed session repeats the messages of the earlier one.
    const key = `${at || sessionId} ${speech.slice(0, 80)}`;
    if (speech === "" || this.#heard.has(key)) return;
    this.#heard.add(key);
    const { own } = readUserWords(speech);
    const project = folder === undefined ? undefined : this.#projectOf(folder);
    this.#rules.add({ own, at, sessionId, project, isReply });
    const [text] = own.length > MAX_QUESTION_TEXT ? [] : (QUESTION.exec(own) ?? []);
    if (text !== undefined && this.questions.length < MAX_QUESTIONS)
      this.questions.push({ text, sessionId, messageId, at });
  }
}
