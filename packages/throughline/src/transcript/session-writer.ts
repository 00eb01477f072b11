import { InvalidMessageError } from "../errors/input-errors.ts";
import { omitUndefined } from "../internal/json.ts";
import { completeMessage, type Message, type MessageDraft } from "../message/message.ts";
import type {
  Emit,
  SessionMeta,
  Skipped,
  TranscriptCompaction,
  TranscriptEvent,
  TranscriptFormat,
} from "./transcript.ts";

/** Emits the messages of one session with ids and counts them, so that compactions have a position. */
export class SessionWriter {
  readonly id: string;
  readonly #emit: Emit;
  /** Makes ids unique within the session. */
  readonly #ids = new UniqueIds();
  #count = 0;
  /** Folder of the session. */
  #cwd: string | undefined;

  constructor(emit: Emit, id: string, meta: SessionMeta = {}) {
    this.id = id;
    this.#emit = emit;
    this.#cwd = meta.cwd;
    emit({ type: "session", id, meta });
  }

  /** @param folders Folders that the message was recorded in, if the format has them per message. */
  add(draft: MessageDraft, folders: readonly string[] = []): Message {
    const id = this.#ids.take(draft.id ?? `m${this.#count}`);
    const message = completeMessage({ ...draft, id }, this.#count, { sessionId: this.id });
    this.#count += 1;
    const hasMoved = folders.some((folder) => folder !== this.#cwd);
    this.#emit({ type: "message", sessionId: this.id, message, ...(hasMoved && { folders }) });
    return message;
  }

  /** Emits a compaction before the next message. */
  compaction(found: Omit<TranscriptCompaction, "at">): void {
    this.#emit({ type: "compaction", sessionId: this.id, compaction: { at: this.#count, ...found } });
  }

  meta(meta: { readonly [K in keyof SessionMeta]: SessionMeta[K] | undefined }): void {
    const known = omitUndefined(meta);
    this.#cwd ??= known.cwd;
    if (Object.keys(known).length > 0) this.#emit({ type: "meta", sessionId: this.id, meta: known });
  }
}

/** Makes ids unique: a second `a` becomes `a~2`. */
export class UniqueIds {
  readonly #used = new Set<string>();
  /** Next number per id, so that many equal ids take linear time. */
  readonly #next = new Map<string, number>();

  take(wanted: string): string {
    let id = wanted;
    let next = this.#next.get(wanted) ?? 2;
    while (this.#used.has(id)) {
      id = `${wanted}~${next}`;
      next += 1;
    }
    if (id !== wanted) this.#next.set(wanted, next);
    this.#used.add(id);
    return id;
  }
}

/** Callbacks that store the content of a session. */
interface SessionSink<S> {
  open(id: string): S;
  message(session: S, message: Message): void;
  compaction(session: S, compaction: TranscriptCompaction): void;
  skipped(skipped: Skipped): void;
}

interface CollectedSession<S> {
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

/** Reads one record. An unreadable record is counted as skipped, and reading continues. */
export function skipBroken(emit: Emit, line: number, read: () => void): void {
  try {
    read();
  } catch (error) {
    const text = problemOf(error);
    if (text === undefined) throw error;
    emit({ type: "skipped", skipped: { line, kind: "broken", text } });
  }
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof InvalidMessageError) return error.problem;
  // A record that overflows the stack or the maximum string length must not stop the reading.
  return error instanceof RangeError ? `nested too deeply, or too large: ${error.message}` : undefined;
}
