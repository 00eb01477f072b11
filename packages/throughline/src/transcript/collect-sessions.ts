import type { Message } from "../message/message.ts";
import type { SessionMeta, Skipped, TranscriptCompaction, TranscriptEvent, TranscriptFormat } from "./transcript.ts";

/** Callbacks that store the content of a session. */
export interface SessionSink<S> {
  open(id: string): S;
  message(session: S, message: Message): void;
  compaction(session: S, compaction: TranscriptCompaction): void;
  skipped(skipped: Skipped): void;
}

export interface CollectedSession<S> {
  readonly kept: S;
  meta: SessionMeta;
}

/** Groups the events of a transcript by session. */
export class SessionCollector<S> {
  format: TranscriptFormat | undefined;
  readonly sessions = new Map<string, CollectedSession<S>>();
  readonly ignored = new Map<string, number>();
  readonly #gathering: SessionSink<S>;

  constructor(gathering: SessionSink<S>) {
    this.#gathering = gathering;
  }

  take(event: TranscriptEvent): void {
    if (event.type === "format") this.format = event.format;
    else if (event.type === "session") {
      this.sessions.set(event.id, { kept: this.#gathering.open(event.id), meta: event.meta });
    } else if (event.type === "skipped") this.#gathering.skipped(event.skipped);
    else if (event.type === "ignored") {
      this.ignored.set(event.kind, (this.ignored.get(event.kind) ?? 0) + 1);
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
