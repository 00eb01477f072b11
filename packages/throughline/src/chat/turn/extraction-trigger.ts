import { checkOptions, FUNCTION, TEXT } from "../../errors/check-options.ts";
import { shouldExtract } from "../../memory/extract/extract-turn.ts";
import { scheduleByTimer } from "../schedule.ts";

/** Minimum messages for an extraction. */
const MIN_MESSAGES = 2;

/** Input of an extraction. */
export interface ExtractionBatch<T> {
  readonly conversationId: string;
  /** The whole conversation. */
  readonly messages: readonly T[];
  /** Messages since the last extraction. */
  readonly fresh: readonly T[];
}

/** State of an extraction. */
export interface ExtractionState {
  readonly isExtracting: boolean;
  /** End of the last extraction in milliseconds since 1970. */
  readonly lastExtraction: number | null;
  /** Error of the last extraction. Its messages are included in the next one. */
  readonly error?: unknown;
}

/** Options of `new ExtractionTrigger`. */
export interface ExtractionTriggerOptions<T> {
  /** Id of the conversation, passed to `extract`. */
  readonly conversationId: string;
  /** Extracts and saves facts. A rejection is recorded in the state. */
  readonly extract: (batch: ExtractionBatch<T>) => PromiseLike<unknown>;
  /** True for messages that were extracted before, e.g. in an earlier session. */
  readonly isExtracted?: (message: T) => boolean;
  /** Source of the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Decides when to extract facts from a conversation: after every five messages and at its end, never concurrently and
 * never twice for the same messages. Starts in a later task, so that typing stays responsive.
 *
 * @example
 * const trigger = new ExtractionTrigger({ conversationId: "c1", extract: async ({ fresh }) => console.log(fresh.length)
 * }); trigger.note(messages);
 */
export class ExtractionTrigger<T extends object> {
  readonly conversationId: string;
  readonly #options: ExtractionTriggerOptions<T>;
  readonly #listeners = new Set<() => void>();
  /** Names of messages that were extracted or are being extracted. */
  readonly #extracted = new Set<string>();
  #messages: readonly T[] = [];
  #state: ExtractionState = { isExtracting: false, lastExtraction: null };
  #cancel: (() => void) | undefined;
  /** True if another extraction was requested during the current one. */
  #isAskedAgain = false;

  constructor(options: ExtractionTriggerOptions<T>) {
    checkOptions("ExtractionTrigger", options, {
      conversationId: TEXT,
      extract: FUNCTION,
      isExtracted: FUNCTION,
      now: FUNCTION,
    });
    this.#options = options;
    this.conversationId = options.conversationId;
  }

  /** Calls a listener after each change of the state. Returns the unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the current state. */
  readonly getSnapshot = (): ExtractionState => this.#state;

  /**
   * Updates the conversation. Starts an extraction after five new messages.
   *
   * @param messages The whole conversation.
   *
   * @example
   * const trigger = new ExtractionTrigger({ conversationId: "c1", extract: async ({ fresh }) =>
   * console.log(fresh.length) }); trigger.note(messages);
   */
  note(messages: readonly T[]): void {
    this.#messages = messages;
    if (shouldExtract({ messagesSince: this.#fresh().length })) this.trigger();
  }

  /**
   * Extracts from new messages in a later task.
   *
   * @example
   * const trigger = new ExtractionTrigger({ conversationId: "c1", extract: async ({ fresh }) =>
   * console.log(fresh.length) }); trigger.trigger();
   */
  trigger(): void {
    this.cancel();
    if (this.#isWorthwhile()) this.#cancel = scheduleByTimer(0, () => this.finish());
  }

  /**
   * Extracts from new messages immediately, e.g. before the page closes.
   *
   * @example
   * const trigger = new ExtractionTrigger({ conversationId: "c1", extract: async ({ fresh }) =>
   * console.log(fresh.length) }); trigger.finish();
   */
  finish(): void {
    this.cancel();
    if (!this.#isWorthwhile()) return;
    if (this.#state.isExtracting) this.#isAskedAgain = true;
    else void this.#extract();
  }

  /**
   * Cancels an extraction that is scheduled and has not started.
   *
   * @example
   * const trigger = new ExtractionTrigger({ conversationId: "c1", extract: async ({ fresh }) =>
   * console.log(fresh.length) }); trigger.cancel();
   */
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
      // An immediate retry would fail again; the next message or the end of the session retries.
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

/** Message id, or else its position and content. */
function nameOf(message: object, place: number): string {
  return "id" in message && typeof message.id === "string" ? message.id : `${place} ${JSON.stringify(message)}`;
}
