import { termHashes } from "../language/terms.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import type { Message } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";
import type { Band, WindowItem } from "./window-meter.ts";

/** Characters of a message that are compared with the summary. */
const MAX_TEXT = 20_000;
/** Share of the terms of a text that a summary must have to repeat it. */
const MIN_SHARE = 0.6;

/**
 * Outcome of a message in a compaction: it was kept, the summary mentions it (one of its names, or most of its words),
 * or it is lost.
 */
export type ItemFate = "kept" | "mentioned" | "gone";

/** A message of the window before a compaction. */
export interface CompactedItem {
  /** Index of the message in the session; negative if the session does not have it, such as an earlier summary. */
  readonly message: number;
  readonly band: Band;
  readonly tokens: number;
  readonly fate: ItemFate;
}

/** Describes the messages of a window before a compaction. */
export function describeItems(
  window: readonly { readonly message: Message; readonly index: number }[],
  items: readonly WindowItem[],
  { summary = "", window: rest = [] }: TranscriptCompaction,
): readonly CompactedItem[] {
  const byMessage = Map.groupBy(items, ({ message }) => message);
  const kept = new Set(rest.map(({ id }) => id));
  const isMentioned = mentionedIn(summary);
  return window.flatMap(({ message, index }): CompactedItem[] => {
    const own = byMessage.get(index) ?? [];
    const [largest] = own.toSorted((a, b) => b.tokens - a.tokens);
    if (largest === undefined) return [];
    const tokens = own.reduce((total, item) => total + item.tokens, 0);
    const fate = kept.has(message.id) ? "kept" : isMentioned(message) ? "mentioned" : "gone";
    return [{ message: index, band: largest.band, tokens, fate }];
  });
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
