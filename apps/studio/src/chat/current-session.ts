import type { Session, Throughline } from "throughline";
import { chatSessionOptions } from "throughline/chat";
import type { ChatModel } from "../models/chat-model.ts";

/** Without a model the window is measured as if there were a small one. */
const NO_MODEL = { choiceId: "", modelId: "gpt-4o", contextLimit: 8_192 };

interface SessionSurroundings {
  readonly throughline: () => Throughline;
  readonly model: () => ChatModel | undefined;
}

/** A session as the model that is in use sees it: opened anew when there is another model. */
export class CurrentSession {
  readonly #around: SessionSurroundings;
  readonly #onCondensing: (isCondensing: boolean) => void;
  #open: { readonly session: Session; readonly with: readonly unknown[] } | undefined;
  #stopListening: () => void = () => undefined;

  constructor(around: SessionSurroundings, onCondensing: (isCondensing: boolean) => void) {
    this.#around = around;
    this.#onCondensing = onCondensing;
  }

  get contextLimit(): number {
    return (this.#around.model() ?? NO_MODEL).contextLimit;
  }

  /** Tokens that are kept free for the answer. */
  get replyReserve(): number {
    return chatSessionOptions(this.contextLimit).outputReserve;
  }

  open(sessionId: string): Session {
    const { choiceId, modelId } = this.#around.model() ?? NO_MODEL;
    const { contextLimit } = this;
    const throughline = this.#around.throughline();
    const wanted = [throughline, sessionId, choiceId, modelId, contextLimit];
    if (this.#open?.with.every((one, at) => one === wanted[at])) return this.#open.session;
    this.#stopListening();
    const session = throughline.session(sessionId, { modelId, ...chatSessionOptions(contextLimit) });
    this.#stopListening = session.on(({ type }) => {
      if (type !== "prune:complete") this.#onCondensing(type === "compaction:start");
    });
    this.#open = { session, with: wanted };
    return session;
  }

  close(): void {
    this.#stopListening();
  }
}
