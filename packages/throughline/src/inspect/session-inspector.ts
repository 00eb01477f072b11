import { type CompactionReview, CompactionReviewer } from "../compact/review-compactions.ts";
import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import { termHashes } from "../language/terms.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import type { Message } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import type { Part } from "../message/part.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";
import {
  CacheBill,
  type CacheUse,
  LookupTracker,
  type RepeatedLookup,
  type RulePresence,
  RuleTracker,
} from "./session-trackers.ts";
import {
  type Band,
  type Bands,
  inputTokens,
  isCall,
  type MeteredWindow,
  sizeMessages,
  type WindowItem,
  type WindowMessage,
  WindowTracker,
} from "./window-tracker.ts";

/** A call of the model with its window, as a recorded session shows it. */
export interface InspectedCall extends MeteredWindow {
  /** Index of the reply in the session. The window has what came before it. */
  readonly message: number;
  readonly at?: number;
  readonly modelId?: string;
  /** Input tokens that the provider reported. */
  readonly reported?: number;
  readonly cache?: CacheUse;
}

/** A compaction of a recorded session. */
export interface InspectedCompaction extends Omit<TranscriptCompaction, "window"> {
  /** Number of calls before it: the index of the first call after it. */
  readonly call: number;
  /** Tokens of the window before it, and of the first window after it. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Missing if the transcript has neither the summary nor the window. */
  readonly review?: CompactionReview;
  readonly lookups: readonly RepeatedLookup[];
  /** The window before it, message by message, and the additions of the first window after it. */
  readonly items: readonly CompactedItem[];
  /** Our count of the window before it. Tokens that no item has belong to content that the transcript does not have. */
  readonly bandsBefore: Bands;
}

/** The windows of a recorded session. */
export interface SessionInspection {
  readonly calls: readonly InspectedCall[];
  readonly compactions: readonly InspectedCompaction[];
  readonly rules: readonly RulePresence[];
}

interface OpenCompaction {
  readonly found: TranscriptCompaction;
  readonly call: number;
  readonly tokensBefore: number;
  tokensAfter: number;
  items: readonly CompactedItem[];
  readonly bandsBefore: Bands;
}

/** Inspects a recorded session while it is read. Memory grows with the number of messages, not with their texts. */
export class SessionInspector {
  readonly #tracker: WindowTracker;
  readonly #count: TokenCounter["part"];
  readonly #reviewer = new CompactionReviewer();
  readonly #rules = new RuleTracker();
  readonly #lookups = new LookupTracker();
  readonly #cache = new CacheBill();
  readonly #calls: InspectedCall[] = [];
  readonly #compactions: OpenCompaction[] = [];
  #index = 0;

  /** @param startRatio see {@link WindowMeter} */
  constructor(count: TokenCounter["part"], startRatio?: number) {
    this.#count = count;
    this.#tracker = new WindowTracker(count, startRatio);
  }

  /**
   * Takes the next message.
   *
   * @param speech the user's words in it, without text that the client added
   */
  message(message: Message, speech: string): void {
    const index = this.#index;
    if (isCall(message)) this.#call(message, index);
    if (speech !== "" && message.isSummary !== true) this.#rules.speech(speech, index);
    for (const part of message.parts) {
      if (part.type === "tool-call") this.#lookups.call(part, index);
      if (part.type === "tool-result") this.#lookups.result(part.toolCallId, this.#count(part));
    }
    this.#reviewer.message(message);
    this.#tracker.add(message, index);
    this.#index += 1;
  }

  /** Takes a compaction before the next message. */
  compaction(found: TranscriptCompaction): void {
    const rest = [found.summary ?? "", ...(found.window ?? []).map(messageText)].join("\n");
    const items = describeItems(this.#tracker.window, this.#tracker.items, found);
    const { tokens: tokensBefore, bands: bandsBefore } = this.#tracker.metered;
    this.#compactions.push({ found, call: this.#calls.length, tokensBefore, tokensAfter: 0, items, bandsBefore });
    this.#reviewer.compaction(found);
    this.#rules.compaction(rest);
    this.#lookups.compaction();
    this.#cache.compaction();
    this.#tracker.compact(found);
  }

  /** Takes the masks of content that was masked before the next message. */
  mask(parts: readonly Part[]): void {
    this.#tracker.mask(parts);
  }

  /** @param folder Working folder of the session */
  result(folder?: string): SessionInspection {
    const reviews = this.#reviewer.reviews(folder);
    const lookups = this.#lookups.lookups();
    return {
      calls: this.#calls,
      rules: this.#rules.result(),
      compactions: this.#compactions.map(({ found, call, tokensBefore, tokensAfter, items, bandsBefore }, i) => {
        const { window: _, ...recorded } = found;
        return omitUndefined({
          ...recorded,
          call,
          tokensBefore: found.tokensBefore ?? tokensBefore,
          tokensAfter: found.tokensAfter ?? tokensAfter,
          review: reviews[i],
          lookups: lookups[i] ?? [],
          items,
          bandsBefore,
        });
      }),
    };
  }

  #call(message: Message, index: number): void {
    const { usage, createdAt, modelId } = message;
    const call = this.#calls.length;
    const open = this.#compactions.at(-1);
    const isFirst = open?.call === call;
    // Usage corrects the items for the calls after it.
    const items = isFirst ? [...this.#tracker.items] : [];
    const window = this.#tracker.call(usage);
    const reported = usage === undefined ? 0 : inputTokens(usage);
    const cache = this.#withPlace(this.#cache.call(omitUndefined({ usage, at: createdAt, modelId })));
    const at = createdAt > 0 ? createdAt : undefined;
    this.#rules.call(call);
    this.#calls.push(omitUndefined({ ...window, message: index, at, modelId, reported: reported || undefined, cache }));
    if (open === undefined || !isFirst) return;
    open.tokensAfter = reported || window.tokens;
    open.items = [...open.items, ...describeAdded(this.#tracker.window, items, open.found.at)];
  }

  /** Adds the message at which the prefix that was read from the cache ends, if the window changed there. */
  #withPlace(cache: CacheUse | undefined): CacheUse | undefined {
    if (cache?.lost?.cause !== "changed") return cache;
    let tokens = this.#tracker.metered.bands.instructions;
    if (cache.read < tokens) return cache;
    const at = this.#tracker.items.find((item) => {
      tokens += item.tokens;
      return tokens > cache.read;
    });
    return at?.message === undefined ? cache : { ...cache, lost: { ...cache.lost, message: at.message } };
  }
}

/** Characters of a message that are compared with the summary. */
const MAX_TEXT = 20_000;
/** Characters of a text that is shown. */
const MAX_LINE = 400;
/** Share of the terms of a text that a summary must have to repeat it. */
const MIN_SHARE = 0.6;

/**
 * Outcome of a message in a compaction: it was kept, its output stayed masked, the summary mentions it (one of its
 * names, or most of its words), it is lost, or it is new in the first window afterwards.
 */
export type ItemFate = "kept" | "masked" | "mentioned" | "gone" | "added";

/** A message of the window before a compaction, or of the first one after it. */
interface CompactedItem {
  /** Index of the message in the session; negative if the session does not have it, such as an earlier summary. */
  readonly message: number;
  readonly band: Band;
  readonly tokens: number;
  readonly fate: ItemFate;
  /** Text that replaces the message, such as a mask, or of a message that the session does not have; cut to a line. */
  readonly text?: string;
}

/** Describes the messages of a window before a compaction. */
function describeItems(
  window: readonly WindowMessage[],
  items: readonly WindowItem[],
  { summary = "", window: rest = [] }: TranscriptCompaction,
): readonly CompactedItem[] {
  const kept = new Set(rest.map(({ id }) => id));
  const isMentioned = mentionedIn(summary);
  return describe(window, items, (message) => {
    if (kept.has(message.id)) return isMasked(message) ? "masked" : "kept";
    return isMentioned(message) ? "mentioned" : "gone";
  });
}

/**
 * Describes the content of the first window after a compaction that is not a kept message.
 *
 * @param at Index of the first message after the compaction
 */
function describeAdded(
  window: readonly WindowMessage[],
  items: readonly WindowItem[],
  at: number,
): readonly CompactedItem[] {
  const added = window.filter(({ index }) => index < 0 || index >= at);
  return describe(added, items, () => "added");
}

function describe(
  window: readonly WindowMessage[],
  items: readonly WindowItem[],
  fateOf: (message: Message) => ItemFate,
): readonly CompactedItem[] {
  return sizeMessages(window, items).map(({ message, index, band, tokens }) => {
    const isShown = index < 0 || isMasked(message);
    const text = isShown ? { text: oneLine(messageText(message).slice(0, 4 * MAX_LINE), MAX_LINE) } : {};
    return { message: index, band, tokens, fate: fateOf(message), ...text };
  });
}

function isMasked({ parts }: Message): boolean {
  return parts.some((part) => part.type === "tool-result" && part.compactedAt !== undefined);
}

function mentionedIn(summary: string): (message: Message) => boolean {
  const names = new Set(findIdentifiers(summary).keys());
  const terms = termHashes(summary);
  return (message) => {
    if (summary === "") return false;
    const text = messageText(message).slice(0, MAX_TEXT);
    if ([...findIdentifiers(text).keys()].some((name) => names.has(name))) return true;
    const own = termHashes(text);
    return own.size > 0 && [...own].filter((term) => terms.has(term)).length / own.size >= MIN_SHARE;
  };
}
