import type { Message, TokenUsage } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";
import type { RecordedSession } from "./recorded-sessions.ts";

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
  const messages = sizeMessages(window, items);
  const recorded = messages.reduce((total, { tokens }) => total + tokens, 0);
  return { ...metered, messages, unrecorded: metered.tokens - recorded };
}

/** The messages of a window that have items, each with the tokens of its items. */
export function sizeMessages(window: readonly WindowMessage[], items: readonly WindowItem[]): readonly SizedMessage[] {
  const byMessage = Map.groupBy(items, ({ message }) => message);
  return window.flatMap((one): SizedMessage[] => {
    const own = byMessage.get(one.index) ?? [];
    const [largest] = own.toSorted((a, b) => b.tokens - a.tokens);
    if (largest === undefined) return [];
    return [{ ...one, band: largest.band, tokens: own.reduce((total, { tokens }) => total + tokens, 0) }];
  });
}

/**
 * Kinds of content in a window. `instructions` are the system prompt and the tools, which transcripts do not contain.
 * `added` is content that the agent inserted: reminders, attached files, and everything else that the transcript does
 * not have.
 */
export const BANDS = ["instructions", "summaries", "user", "assistant", "calls", "results", "files", "added"] as const;

export type Band = (typeof BANDS)[number];

export type Bands = Readonly<Record<Band, number>>;

/** Content of a window with its tokens. */
export interface WindowItem {
  /** Index of the message in the session; missing for content that the transcript does not have. */
  readonly message?: number;
  readonly band: Band;
  /** Tokens by our own count. */
  readonly counted: number;
  /** Tokens as the provider counts them: our count, corrected by reported usage. */
  readonly tokens: number;
}

/** A window as it was sent. The bands add up to the tokens. */
export interface MeteredWindow {
  readonly tokens: number;
  readonly bands: Bands;
  /** Tokens that the agent removed since the last call without recording it. */
  readonly removed?: number;
}

/** Provider tokens for one token of ours, before any usage was reported. */
const START_RATIO = 1.2;
/** Tokens of ours after which the measured ratio replaces the start value. */
const MIN_MEASURED = 3_000;
/** Fewer tokens say little about the ratio: each message has some of its own. */
const MIN_SAMPLE = 50;
/** Bounds of a plausible ratio for the messages since the last call. */
const PLAUSIBLE = { min: 0.4, max: 2.5, slack: 300 } as const;

/**
 * Counts the window of a recorded session before each call. Usage that the provider reported for a call gives the size
 * of the messages since the call before it, so later windows are counted in the provider's tokens.
 */
class WindowMeter {
  readonly #count: TokenCounter["part"];
  readonly #startRatio: number;
  #items: WindowItem[] = [];
  /** Items from here on were added since the last call with usage. */
  #fresh = 0;
  /** Results before this index have no tokens left to remove. */
  #emptied = 0;
  readonly #bands = emptyBands();
  #hasUsage = false;
  #measured = { ours: 0, provider: 0 };
  #isCompacted = false;

  /** @param startRatio Provider tokens for one token of ours, before any usage was reported */
  constructor(count: TokenCounter["part"], startRatio: number = START_RATIO) {
    this.#count = count;
    this.#startRatio = startRatio;
  }

  get items(): readonly WindowItem[] {
    return this.#items;
  }

  get bands(): Bands {
    return { ...this.#bands };
  }

  /** Tokens of the window. */
  get tokens(): number {
    return sum(this.#bands);
  }

  /** Adds a message to the end of the window. */
  add(message: Message, index: number): void {
    for (const part of message.parts) {
      const band = bandOf(part, message);
      const counted = band === undefined ? 0 : this.#count(part);
      if (band !== undefined && counted > 0)
        this.#push({ message: index, band, counted, tokens: this.#scale(counted) });
    }
  }

  /** Takes other parts of a message, such as masked outputs. Their number is the same. */
  replace(before: Message, after: Message, index: number): void {
    const places = this.#items.flatMap(({ message }, i) => (message === index ? [i] : []));
    const isItem = (part: Part) => bandOf(part, before) !== undefined && this.#count(part) > 0;
    for (const [i, part] of before.parts.entries()) {
      const place = isItem(part) ? places.shift() : undefined;
      const [item, next] = [this.#items[place ?? -1], after.parts[i]];
      if (place === undefined || item === undefined || next === undefined || next === part) continue;
      const counted = this.#count(next);
      this.#items[place] = { ...item, counted };
      this.#set(place, Math.round((item.tokens * counted) / item.counted));
    }
  }

  /** Replaces the window by the messages that a compaction left, if the transcript has them. */
  compact(kept: readonly { readonly message: Message; readonly index: number }[]): void {
    this.#items = [];
    this.#fresh = 0;
    this.#emptied = 0;
    this.#isCompacted = true;
    for (const band of BANDS) if (band !== "instructions") this.#bands[band] = 0;
    for (const { message, index } of kept) this.add(message, index);
  }

  /** Measures the window of a call. `usage` corrects the count for the calls after it. */
  call(usage: TokenUsage | undefined): MeteredWindow {
    const reported = usage === undefined ? 0 : inputTokens(usage);
    if (reported > 0 && !this.#hasUsage) this.#setInstructions(reported);
    const window = { tokens: this.tokens, bands: { ...this.#bands } };
    const removed = reported > 0 ? this.#correct(reported) : 0;
    return removed > 0 ? { ...window, removed } : window;
  }

  #setInstructions(reported: number): void {
    this.#hasUsage = true;
    this.#fresh = this.#items.length;
    this.#bands.instructions += Math.max(0, reported - this.tokens);
  }

  /** Corrects the items since the last reported call. Returns the tokens that must have been removed. */
  #correct(reported: number): number {
    const fresh = this.#items.slice(this.#fresh);
    const counted = fresh.reduce((total, item) => total + item.counted, 0);
    const before = this.tokens - fresh.reduce((total, item) => total + item.tokens, 0);
    const delta = reported - before;
    const isPlausible = delta >= counted * PLAUSIBLE.min && delta <= counted * PLAUSIBLE.max + PLAUSIBLE.slack;
    if (isPlausible && counted > 0 && !this.#isCompacted) {
      if (counted >= MIN_SAMPLE && delta <= counted * PLAUSIBLE.max) {
        this.#measured.ours += counted;
        this.#measured.provider += delta;
      }
      this.#resize(delta, counted);
    }
    this.#fresh = this.#items.length;
    this.#isCompacted = false;
    return this.#settle(reported - this.tokens);
  }

  /** Gives the items since the last reported call this many tokens in all. */
  #resize(tokens: number, counted: number): void {
    let seen = 0;
    let given = 0;
    for (let i = this.#fresh; i < this.#items.length; i += 1) {
      const item = this.#items[i] as WindowItem;
      seen += item.counted;
      const next = Math.round((tokens * seen) / counted) - given;
      given += next;
      this.#set(i, next);
    }
  }

  /** Explains the rest of the difference: content that the transcript lacks, or that the agent removed. */
  #settle(difference: number): number {
    if (difference > 0) this.#push({ band: "added", counted: 0, tokens: difference });
    this.#fresh = this.#items.length;
    return difference < 0 ? this.#remove(-difference) : 0;
  }

  /** Agents remove old tool results first. */
  #remove(tokens: number): number {
    let left = tokens;
    for (; left > 0 && this.#emptied < this.#items.length; this.#emptied += 1) {
      const item = this.#items[this.#emptied] as WindowItem;
      const taken = item.band === "results" || item.band === "added" ? Math.min(left, item.tokens) : 0;
      if (taken > 0) this.#set(this.#emptied, item.tokens - taken);
      left -= taken;
      if (left === 0) break;
    }
    for (let i = 0; left > 0 && i < this.#items.length; i += 1) {
      const { tokens: rest } = this.#items[i] as WindowItem;
      const taken = Math.min(left, rest);
      if (taken > 0) this.#set(i, rest - taken);
      left -= taken;
    }
    // A resumed session begins with content that its transcript lacks. It was taken for instructions until now.
    this.#bands.instructions = Math.max(0, this.#bands.instructions - left);
    return tokens - left;
  }

  #push(item: WindowItem): void {
    this.#items.push(item);
    this.#bands[item.band] += item.tokens;
  }

  #set(index: number, tokens: number): void {
    const item = this.#items[index] as WindowItem;
    this.#bands[item.band] += tokens - item.tokens;
    this.#items[index] = { ...item, tokens };
  }

  #scale(counted: number): number {
    const { ours, provider } = this.#measured;
    return Math.round(counted * (ours < MIN_MEASURED ? this.#startRatio : provider / ours));
  }
}

/** All tokens that were sent: new ones, and those read from or written to the prompt cache. */
export function inputTokens({ input, cache }: TokenUsage): number {
  return input + cache.read + cache.write;
}

/** Reasoning is left out: providers drop the reasoning of earlier turns. */
function bandOf(part: Part, { role, isSummary }: Message): Band | undefined {
  switch (part.type) {
    case "text":
      if (isSummary === true) return "summaries";
      if (part.synthetic === true && role === "user") return "added";
      return role === "assistant" ? "assistant" : role === "system" ? "instructions" : "user";
    case "compaction-marker":
      return "summaries";
    case "tool-call":
      return "calls";
    case "tool-result":
      return "results";
    case "file":
      return "files";
    default:
      return undefined;
  }
}

function emptyBands(): Record<Band, number> {
  return Object.fromEntries(BANDS.map((band) => [band, 0])) as Record<Band, number>;
}

function sum(bands: Bands): number {
  return BANDS.reduce((total, band) => total + bands[band], 0);
}
