import { oneLine } from "../internal/text.ts";
import { termHashes } from "../language/terms.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import type { Message } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";
import type { Band, WindowItem } from "./window-meter.ts";
import type { WindowMessage } from "./window-tracker.ts";

/** Characters of a message that are compared with the summary. */
const MAX_TEXT = 20_000;
/** Characters of a text that is shown. */
const MAX_LINE = 400;
/** Share of the terms of a text that a summary must have to repeat it. */
const MIN_SHARE = 0.6;

/**
 * Outcome of a message in a compaction: it was kept, its output stayed masked, the summary mentions it (one of its names,
 * or most of its words), it is lost, or it is new in the first window afterwards.
 */
export type ItemFate = "kept" | "masked" | "mentioned" | "gone" | "added";

/** A message of the window before a compaction, or of the first one after it. */
export interface CompactedItem {
  /** Index of the message in the session; negative if the session does not have it, such as an earlier summary. */
  readonly message: number;
  readonly band: Band;
  readonly tokens: number;
  readonly fate: ItemFate;
  /** Text that replaces the message, such as a mask, or of a message that the session does not have; cut to a line. */
  readonly text?: string;
}

/** Describes the messages of a window before a compaction. */
export function describeItems(
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
 * Describes what the first window after a compaction has besides the kept messages.
 *
 * @param at Index of the first message after the compaction
 */
export function describeAdded(
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
  const byMessage = Map.groupBy(items, ({ message }) => message);
  return window.flatMap(({ message, index }): CompactedItem[] => {
    const own = byMessage.get(index) ?? [];
    const [largest] = own.toSorted((a, b) => b.tokens - a.tokens);
    if (largest === undefined) return [];
    const tokens = own.reduce((total, item) => total + item.tokens, 0);
    const fate = fateOf(message);
    const text =
      index < 0 || isMasked(message) ? { text: oneLine(messageText(message).slice(0, 4 * MAX_LINE), MAX_LINE) } : {};
    return [{ message: index, band: largest.band, tokens, fate, ...text }];
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
