import type { Message, TokenUsage } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";
import type { RecordedSession } from "./recorded-sessions.ts";
import { type Band, type MeteredWindow, START_RATIO, type WindowItem, WindowMeter } from "./window-meter.ts";

/** A message of a window. */
export interface WindowMessage {
  readonly message: Message;
  /** Index in the session; negative if the session does not have it, such as a summary. */
  readonly index: number;
}

/** A message of a window with its tokens. */
export interface SizedMessage extends WindowMessage {
  /** Kind of its largest part. */
  readonly band: Band;
  readonly tokens: number;
}

/** A window as it was sent. The messages and the unrecorded tokens add up to the tokens. */
export interface SentWindow extends MeteredWindow {
  readonly messages: readonly SizedMessage[];
  /** Tokens of instructions, tools and other content that the transcript does not have. */
  readonly unrecorded: number;
}

/** Follows the messages of the window through a recorded session, and their tokens. */
export class WindowTracker {
  readonly #meter: WindowMeter;
  #window: readonly WindowMessage[] = [];

  /** @param startRatio see {@link WindowMeter} */
  constructor(count: TokenCounter["part"], startRatio?: number) {
    this.#meter = new WindowMeter(count, startRatio);
  }

  /** Messages of the present window. */
  get window(): readonly WindowMessage[] {
    return this.#window;
  }

  get items(): readonly WindowItem[] {
    return this.#meter.items;
  }

  /** The present window. */
  get metered(): MeteredWindow {
    const { tokens, bands } = this.#meter;
    return { tokens, bands };
  }

  add(message: Message, index: number): void {
    this.#meter.add(message, index);
    (this.#window as WindowMessage[]).push({ message, index });
  }

  compact({ window = [] }: TranscriptCompaction): void {
    const indexes = new Map(this.#window.map(({ message, index }) => [message.id, index]));
    const kept = window.map((message, i) => ({ message, index: indexes.get(message.id) ?? -1 - i }));
    this.#meter.compact(kept);
    this.#window = kept;
  }

  /** Replaces parts of the window by their masks. */
  mask(parts: readonly Part[]): void {
    const byId = new Map(parts.map((part) => [part.id, part]));
    this.#window = this.#window.map((one) => {
      if (!one.message.parts.some(({ id }) => byId.has(id))) return one;
      const message = { ...one.message, parts: one.message.parts.map((part) => byId.get(part.id) ?? part) };
      this.#meter.replace(one.message, message, one.index);
      return { ...one, message };
    });
  }

  /** Measures the window of a call; see {@link WindowMeter.call}. */
  call(usage: TokenUsage | undefined): MeteredWindow {
    return this.#meter.call(usage);
  }
}

/** The window of a call of a recorded session; `undefined` if it has fewer calls. */
export function windowOfCall(
  session: RecordedSession,
  call: number,
  count: TokenCounter["part"],
): SentWindow | undefined {
  const { messages, compactions, masks = [] } = session;
  const tracker = new WindowTracker(count, startRatioOf(session));
  const byIndex = Map.groupBy(compactions, ({ at }) => at);
  const masksByIndex = Map.groupBy(masks, ({ at }) => at);
  let calls = 0;
  for (const [index, message] of messages.entries()) {
    for (const { parts } of masksByIndex.get(index) ?? []) tracker.mask(parts);
    for (const compaction of byIndex.get(index) ?? []) tracker.compact(compaction);
    if (isCall(message)) {
      // Usage corrects the items for the calls after it.
      const items = [...tracker.items];
      const metered = tracker.call(message.usage);
      if (calls === call) return sizeWindow(tracker.window, items, metered);
      calls += 1;
    }
    tracker.add(message, index);
  }
  return undefined;
}

/** Provider tokens for one token of ours, before any usage was reported. */
export function startRatioOf({ isCountedByUs }: RecordedSession): number {
  return isCountedByUs === true ? 1 : START_RATIO;
}

/** A reply of the model, as opposed to a summary in its place. */
export function isCall({ role, isSummary }: Message): boolean {
  return role === "assistant" && isSummary !== true;
}

function sizeWindow(
  window: readonly WindowMessage[],
  items: readonly WindowItem[],
  metered: MeteredWindow,
): SentWindow {
  const byMessage = Map.groupBy(items, ({ message }) => message);
  const messages = window.flatMap((one): SizedMessage[] => {
    const own = byMessage.get(one.index) ?? [];
    const [largest] = own.toSorted((a, b) => b.tokens - a.tokens);
    if (largest === undefined) return [];
    return [{ ...one, band: largest.band, tokens: own.reduce((total, { tokens }) => total + tokens, 0) }];
  });
  const recorded = messages.reduce((total, { tokens }) => total + tokens, 0);
  return { ...metered, messages, unrecorded: metered.tokens - recorded };
}
