import type { Message } from "../message/message.ts";
import { adjustBoundaryForToolPairs, legalCutPoints } from "../message/tool-pairs.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { findOriginalTask, isSpeech } from "./original-task.ts";
import type { Entry, WindowSources, WindowState } from "./window.ts";

/** A window with its state. */
export interface DivisibleWindow {
  readonly state: WindowState;
  readonly sources: WindowSources;
  /** The messages of the window, as `materialize` returns them. */
  readonly window: readonly Message[];
  readonly counter: TokenCounter;
}

/** The entries of a window by what a compaction does with them. */
export interface Division {
  /** System messages and the original task: they stay before the summary. */
  readonly head: readonly Entry[];
  readonly hasTask: boolean;
  /** All entries before the tail, in order. */
  readonly before: readonly Entry[];
  readonly replaced: readonly Entry[];
  /** The user's last message, if it is not in the tail: it stays after the summary. */
  readonly kept: readonly Entry[];
  /** Messages before the summary, those that it replaces, and those behind it. */
  readonly messages: Readonly<Record<"head" | "replaced" | "behind", readonly Message[]>>;
}

/** The tail of a window: a number of messages, or a size. Its boundary never splits a tool pair. */
export type TailRule =
  | {
      readonly messages: number;
      /** Maximum tokens of these messages; if they have more, the tail has as many messages as fit. */
      readonly most?: number;
    }
  | {
      /** Size of the tail, which has at least the last exchange; 0 for no tail. */
      readonly tokens: number;
      /** Turns of the user that stay even if they are larger, as many as fit into `most` tokens. */
      readonly turns?: number;
      readonly most?: number;
    };

/**
 * Divides a window for a compaction. An entry is never split, so the boundary falls before or after an earlier summary
 * and the messages around it.
 *
 * @returns `undefined` if there is nothing to replace.
 */
export function divideWindow(
  { state, sources, window, counter }: DivisibleWindow,
  keep: TailRule,
  targetTokens: number,
): Division | undefined {
  const { entries } = state;
  /** Index of the entry of each message; `firsts` has the first message of each entry. */
  const owners: number[] = [];
  const firsts = entries.map((entry, index) => {
    const count = "event" in entry ? (sources.events.get(entry.event)?.standIns.length ?? 0) : 1;
    return owners.push(...new Array<number>(count).fill(index)) - count;
  });
  const indexOf = (message: number) => (message < 0 ? -1 : (owners[message] ?? -1));
  const last = findLastSpeech(window, "messages" in keep ? targetTokens : keep.tokens, counter);
  const tailStart = startBehind(last, window, keep, counter);
  const first = findOriginalTask(window);
  const task = first < tailStart ? indexOf(first) : -1;
  const lastSpeech = indexOf(last);
  const end = owners[tailStart] ?? entries.length;
  const places = entries.map((_, index) => {
    if (index >= end) return "tail";
    if (index === task || window[firsts[index] ?? -1]?.role === "system") return "head";
    return index === lastSpeech ? "kept" : "replaced";
  });
  const entriesIn = (place: string) => entries.filter((_, index) => places[index] === place);
  const messagesIn = (...wanted: string[]) =>
    window.filter((_, index) => wanted.includes(places[owners[index] ?? -1] ?? ""));
  const replaced = entriesIn("replaced");
  if (replaced.length === 0) return undefined;
  const messages = {
    head: messagesIn("head"),
    replaced: messagesIn("replaced"),
    behind: messagesIn("kept", "tail"),
  };
  const before = entries.slice(0, end);
  return { head: entriesIn("head"), hasTask: task >= 0, before, replaced, kept: entriesIn("kept"), messages };
}

/** Index of the user's last message if it has at most `maxTokens`; otherwise -1. */
function findLastSpeech(window: readonly Message[], maxTokens: number, counter: TokenCounter): number {
  const index = window.findLastIndex(isSpeech);
  const message = window[index];
  return message !== undefined && counter.message(message) <= maxTokens ? index : -1;
}

/** Index of the first message of the tail. If the user's last message is not in the tail, it takes its tokens from it. */
function startBehind(last: number, window: readonly Message[], keep: TailRule, counter: TokenCounter): number {
  const start = startOfTail(window, keep, counter.message);
  const message = window[last];
  if (message === undefined || last >= start || "messages" in keep) return start;
  const tokens = Math.max(Math.min(1, keep.tokens), keep.tokens - counter.message(message));
  return startOfTail(window, { ...keep, tokens }, counter.message);
}

/** Index of the first message of the tail. */
export function startOfTail(
  messages: readonly Message[],
  keep: TailRule,
  tokensOf: (message: Message) => number,
): number {
  const suffix = suffixTokens(messages, tokensOf);
  if ("messages" in keep) {
    const { most: tokens = Number.POSITIVE_INFINITY } = keep;
    const start = adjustBoundaryForToolPairs(messages, messages.length - keep.messages);
    return (suffix[start] ?? 0) <= tokens ? start : startOfTail(messages, { tokens }, tokensOf);
  }
  const { tokens, turns = 0, most = Number.POSITIVE_INFINITY } = keep;
  const takes = (cut: number) => suffix[cut] ?? 0;
  const cuts = legalCutPoints(messages);
  const inner = tokens > 0 ? cuts.filter((cut) => cut < messages.length) : cuts;
  const byTokens = inner.find((cut) => takes(cut) <= tokens) ?? inner.at(-1) ?? 0;
  const turnStarts = messages.flatMap((message, index) => (isTurn(message) ? [index] : []));
  const byTurns = (turns > 0 ? turnStarts.slice(-turns) : [])
    .map((index) => cuts.findLast((cut) => cut <= index) ?? 0)
    .find((cut) => takes(cut) <= most);
  return Math.min(byTokens, byTurns ?? byTokens);
}

/** A message of the user starts a turn; a synthetic one does not. */
function isTurn({ role, parts }: Message): boolean {
  return role === "user" && parts.some((part) => part.type !== "text" || part.synthetic !== true);
}

function suffixTokens(messages: readonly Message[], tokensOf: (message: Message) => number): number[] {
  const suffix = new Array<number>(messages.length + 1).fill(0);
  for (let i = messages.length - 1; i >= 0; i -= 1) {
    const message = messages[i];
    suffix[i] = (suffix[i + 1] ?? 0) + (message === undefined ? 0 : tokensOf(message));
  }
  return suffix;
}
