import type { Band, CacheUse, ItemFate } from "throughline/internal/inspect";

type CacheLossCause = NonNullable<CacheUse["lost"]>["cause"];

/** Names of the kinds of content in a window. */
export const BAND_NAMES: Readonly<Record<Band, string>> = {
  instructions: "Instructions and tools",
  summaries: "Summaries",
  user: "Your messages",
  assistant: "Replies",
  calls: "Tool calls",
  results: "Tool results",
  files: "Files",
  added: "Added by the agent",
};

export const FATE_NAMES: Readonly<Record<ItemFate, string>> = {
  kept: "Verbatim",
  mentioned: "Summarized",
  masked: "Masked",
  gone: "Dropped",
  added: "Added",
};

/** Why a message counts as dropped, summarized, masked, verbatim or added. */
export const FATE_REASONS: Readonly<Record<ItemFate, string>> = {
  kept: "word for word in the new window.",
  mentioned: "the summary has a name from each, or most of its words.",
  masked: "a note with a handle takes the place of the output.",
  gone: "neither verbatim nor in the summary. The agent no longer sees them.",
  added: "new in the first window afterwards.",
};

export const LOSS_NAMES: Readonly<Record<CacheLossCause | "instructions", string>> = {
  compaction: "compaction",
  model: "another model",
  expired: "pause of over 5 minutes",
  changed: "the window changed",
  instructions: "the instructions or tools changed",
};

/** `toLocaleString` of a number takes ten times as long. */
const numbers = new Intl.NumberFormat();

/** `12,345` in the user's language. */
export function number(value: number): string {
  return numbers.format(value);
}

/** `145k` from 10,000 on, `15.7M` from a million on. */
export function short(value: number): string {
  if (value < 10_000) return number(value);
  return value < 1_000_000 ? `${number(Math.round(value / 1_000))}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${number(value)} ${value === 1 ? singular : plural}`;
}

export function day(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}
