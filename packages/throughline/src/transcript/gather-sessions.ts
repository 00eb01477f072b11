import type { Message } from "../message/message.ts";
import type { SessionMeta, Skipped, TranscriptCompaction, TranscriptEvent, TranscriptFormat } from "./transcript.ts";

/** What is kept of a session is up to who gathers. */
export interface Gathering<S> {
  open(id: string): S;
  message(session: S, message: Message): void;
  compaction(session: S, compaction: TranscriptCompaction): void;
  skipped(skipped: Skipped): void;
}

export interface Gathered<S> {
  readonly kept: S;
  meta: SessionMeta;
}

/** Puts the events of a transcript together, each to its session. */
export class SessionGatherer<S> {
  format: TranscriptFormat | undefined;
  readonly sessions = new Map<string, Gathered<S>>();
  readonly passedOver = new Map<string, number>();
  readonly #gathering: Gathering<S>;

  constructor(gathering: Gathering<S>) {
    this.#gathering = gathering;
  }

  take(event: TranscriptEvent): void {
    if (event.type === "format") this.format = event.format;
    else if (event.type === "session") {
      this.sessions.set(event.id, { kept: this.#gathering.open(event.id), meta: event.meta });
    } else if (event.type === "skipped") this.#gathering.skipped(event.skipped);
    else if (event.type === "passed-over") {
      this.passedOver.set(event.kind, (this.passedOver.get(event.kind) ?? 0) + 1);
    } else this.#toSession(event);
  }

  #toSession(event: Extract<TranscriptEvent, { sessionId: string }>): void {
    const session = this.sessions.get(event.sessionId);
    if (session === undefined) return;
    if (event.type === "message") this.#gathering.message(session.kept, event.message);
    else if (event.type === "compaction") this.#gathering.compaction(session.kept, event.compaction);
    else session.meta = { ...session.meta, ...event.meta };
  }
}
