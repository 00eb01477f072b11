import { omitUndefined } from "../internal/json.ts";
import { completeMessage, type Message, type MessageDraft } from "../message/message.ts";
import type { Emit, SessionMeta, TranscriptCompaction } from "./transcript.ts";

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
