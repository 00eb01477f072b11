import { shouldExtract } from "../../memory/extract/should-extract.ts";
import { scheduleByTimer } from "../schedule.ts";

/** Fewer messages say too little to extract from. */
const MIN_MESSAGES = 2;

/** What is given to extraction. */
export interface ExtractionBatch<T> {
  readonly conversationId: string;
  /** The whole conversation. */
  readonly messages: readonly T[];
  /** What came since the last extraction. */
  readonly fresh: readonly T[];
}

export interface ExtractionState {
  readonly isExtracting: boolean;
  /** When the last extraction ended, in milliseconds since 1970. */
  readonly lastExtraction: number | null;
  /** What the last extraction failed with; its messages are read again with the next one. */
  readonly error?: unknown;
}

export interface ExtractionTriggerOptions<T> {
  readonly conversationId: string;
  readonly extract: (batch: ExtractionBatch<T>) => PromiseLike<unknown>;
  /** What was extracted from before, in an earlier session perhaps. */
  readonly isExtracted?: (message: T) => boolean;
  readonly now?: () => number;
}

/**
 * Says when it is time to extract from a conversation: after every five messages and at its end, never twice at once and
 * never twice for the same messages. It begins when whoever is typing has had their turn.
 *
 * @example
 * const trigger = new ExtractionTrigger({ conversationId, extract: ({ fresh }) => ingest(fresh) });
 * trigger.note(messages);
 */
export class ExtractionTrigger<T extends object> {
  readonly conversationId: string;
  readonly #options: ExtractionTriggerOptions<T>;
  readonly #listeners = new Set<() => void>();
  /** Names of the messages that were extracted from, or are being. */
  readonly #extracted = new Set<string>();
  #messages: readonly T[] = [];
  #state: ExtractionState = { isExtracting: false, lastExtraction: null };
  #cancel: (() => void) | undefined;
  /** Asked for while another was under way. */
  #isAskedAgain = false;

  constructor(options: ExtractionTriggerOptions<T>) {
    this.#options = options;
    this.conversationId = options.conversationId;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): ExtractionState => this.#state;

  /** The conversation as it is now. With five new messages, extraction begins. */
  note(messages: readonly T[]): void {
    this.#messages = messages;
    if (shouldExtract({ messagesSince: this.#fresh().length })) this.trigger();
  }

  /** Extracts from what is new, as soon as there is time. */
  trigger(): void {
    this.cancel();
    if (this.#isWorthwhile()) this.#cancel = scheduleByTimer(0, () => this.finish());
  }

  /** Extracts at once: the page may be gone in a moment. */
  finish(): void {
    this.cancel();
    if (!this.#isWorthwhile()) return;
    if (this.#state.isExtracting) this.#isAskedAgain = true;
    else void this.#extract();
  }

  /** Takes back what was asked for and has not begun. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  async #extract(): Promise<void> {
    const { conversationId } = this;
    const fresh = this.#fresh();
    for (const { name } of fresh) this.#extracted.add(name);
    this.#set({ isExtracting: true, lastExtraction: this.#state.lastExtraction });
    try {
      const messages = this.#messages;
      await this.#options.extract({ conversationId, messages, fresh: fresh.map(({ message }) => message) });
      this.#set({ isExtracting: false, lastExtraction: (this.#options.now ?? Date.now)() });
    } catch (error) {
      for (const { name } of fresh) this.#extracted.delete(name);
      this.#set({ ...this.#state, isExtracting: false, error });
      // It would fail again at once; the next message or the end of the session asks again.
      this.#isAskedAgain = false;
    }
    if (this.#isAskedAgain) this.trigger();
    this.#isAskedAgain = false;
  }

  #isWorthwhile(): boolean {
    return this.#messages.length >= MIN_MESSAGES && this.#fresh().length > 0;
  }

  #fresh(): readonly { readonly name: string; readonly message: T }[] {
    const { isExtracted = () => false } = this.#options;
    return this.#messages
      .map((message, place) => ({ name: nameOf(message, place), message }))
      .filter(({ name, message }) => !this.#extracted.has(name) && !isExtracted(message));
  }

  #set(state: ExtractionState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Its id, or else its place and its words. */
function nameOf(message: object, place: number): string {
  return "id" in message && typeof message.id === "string" ? message.id : `${place} ${JSON.stringify(message)}`;
}
