import { createThroughline, type Message, NotFoundError, type Throughline } from "throughline";
import { readSpeech } from "throughline/internal/engine";
import {
  type RecordedSession,
  reportSession,
  type SentWindow,
  type SessionReport,
  summarizeMessages,
  windowOfCall,
} from "throughline/internal/inspect";
import { createTokenCounter, Lru } from "throughline/internal/util";
import { COUNTED_AS } from "./session-catalog.ts";
import { OWN_AGENT, type SessionUnit, sessionIdOf } from "./session-units.ts";

/** Files whose messages stay in memory, and reports, windows and notes that do. */
const MAX_LOADED = 3;
const MAX_MADE = 60;

/** A handover note with its size. */
export interface HandoverNote {
  readonly text: string;
  readonly tokens: number;
}

/** Reports on single sessions. Results are cached until the session changes. */
export class SessionReports {
  readonly #loaded = new Lru<string, Promise<readonly RecordedSession[]>>({ maxSize: MAX_LOADED });
  readonly #made = new Lru<string, Promise<unknown>>({ maxSize: MAX_MADE });
  readonly #counter = createTokenCounter(COUNTED_AS, {});
  readonly #onWork: (work: Promise<unknown>) => void;
  #throughline: Promise<Throughline> | undefined;

  /** @param onWork Called with work that a request waits for */
  constructor(onWork: (work: Promise<unknown>) => void) {
    this.#onWork = onWork;
  }

  /** @throws NotFoundError if the unit has no such session */
  async load(unit: SessionUnit, id: string): Promise<RecordedSession> {
    const key = `${unit.cacheKey} ${unit.version}`;
    const loading = this.#loaded.get(key) ?? unit.load();
    this.#loaded.set(key, loading);
    loading.catch(() => this.#loaded.delete(key));
    const found = (await loading).find((session) => sessionIdOf(unit, session) === id);
    if (found === undefined) throw new NotFoundError(`Session ${id}`, "here");
    return found;
  }

  report(unit: SessionUnit, id: string): Promise<SessionReport> {
    return this.#once(unit, id, "report", async (session) =>
      reportSession(session, {
        counter: this.#counter,
        readSpeech,
        ...(unit.agent === OWN_AGENT
          ? { hasIds: true }
          : { summarize: (messages, targetTokens) => this.#summarize(messages, targetTokens) }),
      }),
    );
  }

  /** @throws NotFoundError if the session has fewer calls */
  async window(unit: SessionUnit, id: string, call: number): Promise<SentWindow> {
    const found = await this.#once(unit, id, `window ${call}`, async (session) =>
      windowOfCall(session, call, this.#counter.part),
    );
    if (found === undefined) throw new NotFoundError(`Call ${call}`);
    return found;
  }

  /** The handover note for the first messages of a session. */
  note(unit: SessionUnit, id: string, messages: number): Promise<HandoverNote> {
    return this.#once(unit, id, `note ${messages}`, async (session) => {
      const before = session.messages.slice(0, messages).filter(({ isSummary }) => isSummary !== true);
      const text = before.length === 0 ? "" : await this.#summarize(before);
      return { text, tokens: this.#counter.text(text) };
    });
  }

  async close(): Promise<void> {
    await (await this.#throughline)?.close();
  }

  #once<T>(unit: SessionUnit, id: string, what: string, make: (session: RecordedSession) => Promise<T>): Promise<T> {
    const key = JSON.stringify([unit.cacheKey, id, unit.version, what]);
    const known = this.#made.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const made = this.load(unit, id).then(make);
    this.#made.set(key, made);
    this.#onWork(made);
    made.catch(() => this.#made.delete(key));
    return made;
  }

  async #summarize(messages: readonly Message[], targetTokens?: number): Promise<string> {
    this.#throughline ??= createThroughline();
    const throughline = await this.#throughline;
    return summarizeMessages(messages, { throughline, counter: this.#counter, modelId: COUNTED_AS, targetTokens });
  }
}
