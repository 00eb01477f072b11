import type { MessageDraft, TokenUsage } from "../../message/message.ts";

/** So many messages may stand between a reply and its usage; real rollouts have one. */
const MAX_AFTER = 16;

/** Holds the last reply back until its usage is known: Codex writes that behind the results of the reply's calls. */
export class HeldReply {
  readonly #write: (draft: MessageDraft) => void;
  #reply: MessageDraft | undefined;
  #after: MessageDraft[] = [];

  constructor(write: (draft: MessageDraft) => void) {
    this.#write = write;
  }

  add(draft: MessageDraft): void {
    if (draft.role === "assistant") this.release();
    if (draft.role === "assistant" && draft.usage === undefined) this.#reply = draft;
    else if (this.#reply === undefined) this.#write(draft);
    else this.#after.push(draft);
    if (this.#after.length > MAX_AFTER) this.release();
  }

  /** A usage that comes again, or without a reply before it, belongs to nothing. */
  spend(usage: TokenUsage): void {
    if (this.#reply !== undefined) this.#reply = { ...this.#reply, usage };
    this.release();
  }

  release(): void {
    if (this.#reply !== undefined) this.#write(this.#reply);
    for (const draft of this.#after) this.#write(draft);
    this.#reply = undefined;
    this.#after = [];
  }
}
