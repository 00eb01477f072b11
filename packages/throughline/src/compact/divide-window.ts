import type { Message } from "../message/message.ts";
import { adjustBoundaryForToolPairs, legalCutPoints } from "../message/tool-pairs.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { editedParts } from "./edited-parts.ts";
import { findOriginalTask, isSpeech } from "./original-task.ts";
import { type Entry, pinnedBehind, type WindowSources, type WindowState } from "./window.ts";

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
  /** Entries that the summary replaces. */
  readonly compacted: readonly Entry[];
  /** The user's last message, if it is not in the tail: it stays after the summary. */
  readonly kept: readonly Entry[];
  /** Messages before the summary, those that it replaces, and those after it, pinned ones first. */
  readonly messages: Readonly<Record<"head" | "compacted" | "behind", readonly Message[]>>;
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
      /**
       * Requests of the user that stay with the work on them even if they are larger, as many as fit into `most`
       * tokens.
       */
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
  const { owners, firsts, endOf } = placeEntries({ state, sources });
  const pins = new Set(editedParts(state).group);
  const { last, start } = findTail(window, keep, targetTokens, counter.message, pins);
  const first = findOriginalTask(window);
  const task = first < start ? owners[first] : undefined;
  const end = endOf(start);
  const places = entries.map((_, index) => {
    if (index >= end) return "tail";
    if (index === task || window[firsts[index] ?? -1]?.role === "system") return "head";
    return index === owners[last] ? "kept" : "compacted";
  });
  const entriesIn = (place: string) => entries.filter((_, index) => places[index] === place);
  const messagesIn = (...wanted: string[]) =>
    window.filter((_, index) => wanted.includes(places[owners[index] ?? -1] ?? ""));
  const [head, kept] = [entriesIn("head"), entriesIn("kept")];
  const rest = [...head, ...kept, ...entries.slice(end)];
  const pinned = pins.size === 0 ? [] : pinnedBehind({ ...state, entries: rest }, sources).messages;
  const isPinned = (id: string) => pins.has(id) && pinned.some((message) => message.id === id);
  const messages = {
    head: messagesIn("head"),
    compacted: messagesIn("compacted").filter(({ id }) => !isPinned(id)),
    behind: [...pinned, ...messagesIn("kept", "tail")],
  };
  if (messages.compacted.length === 0) return undefined;
  const compacted = entriesIn("compacted");
  return { head, hasTask: task !== undefined, before: entries.slice(0, end), compacted, kept, messages };
}

/** Positions of the messages of a window in its entries. */
function placeEntries({ state, sources }: Pick<DivisibleWindow, "state" | "sources">) {
  const { entries } = state;
  const pinned = state.edits && pinnedBehind(state, sources);
  /** Index of the entry of each message. */
  const owners: number[] = [];
  /** First message of each entry, and the first pinned one. */
  let firstPinned = Number.POSITIVE_INFINITY;
  const firsts = entries.map((entry, index) => {
    const own = "event" in entry ? (sources.events.get(entry.event)?.standIns.length ?? 0) : 1;
    const count = index === pinned?.place ? own + pinned.messages.length : own;
    const first = owners.push(...new Array<number>(count).fill(index)) - count;
    if (index === pinned?.place) firstPinned = first + own;
    return first;
  });
  /**
   * First entry of a tail that begins with a message. Pinned messages belong to no tail: a compaction places them anew.
   */
  const endOf = (start: number) => {
    const owner = owners[start] ?? entries.length;
    return owner === pinned?.place && start >= firstPinned ? owner + 1 : owner;
  };
  return { owners, firsts, endOf };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Index of the user's last message (-1 if it is too large to stay) and of the first message of the tail. If that
 * message is not in the tail, the tail is smaller by its tokens, and by those of pinned messages before it.
 */
function findTail(
  window: readonly Message[],
  keep: TailRule,
  targetTokens: number,
  tokensOf: (message: Message) => number,
  pins: ReadonlySet<string>,
): { readonly last: number; readonly start: number } {
  const whole = startOfTail(window, keep, tokensOf);
  const pinned = pins.size === 0 ? [] : window.slice(0, whole).filter(({ id }) => pins.has(id));
  if (pinned.length > 0 && !("messages" in keep)) {
    const maxTokens = keep.tokens - pinned.reduce((sum, message) => sum + tokensOf(message), 0);
    return findTail(
      window,
      { ...keep, tokens: Math.max(Math.min(1, keep.tokens), maxTokens) },
      targetTokens,
      tokensOf,
      NONE,
    );
  }
  const start = whole;
  const last = window.findLastIndex(isSpeech);
  const message = window[last];
  const most = "messages" in keep ? targetTokens : keep.tokens;
  if (message === undefined || tokensOf(message) > most) return { last: -1, start };
  if (last >= start || "messages" in keep) return { last, start };
  const tokens = Math.max(Math.min(1, keep.tokens), keep.tokens - tokensOf(message));
  return { last, start: startOfTail(window, { ...keep, tokens }, tokensOf) };
}

/** Index of the first message of the tail. */
export function startOfTail(
  messages: readonly Message[],
  keep: TailRule,
  tokensOf: (message: Message) => number,
): number {
  // Tokens from each message to the end.
  const suffix = new Array<number>(messages.length + 1).fill(0);
  for (const [i, message] of [...messages.entries()].reverse()) suffix[i] = (suffix[i + 1] ?? 0) + tokensOf(message);
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
  const requests = messages.flatMap((message, index) => (isRequest(message) ? [index] : []));
  const byRequests = (turns > 0 ? requests.slice(-turns) : [])
    .map((index) => cuts.findLast((cut) => cut <= index) ?? 0)
    .find((cut) => takes(cut) <= most);
  return Math.min(byTokens, byRequests ?? byTokens);
}

/** A request of the user; synthetic messages are none. */
function isRequest({ role, parts }: Message): boolean {
  return role === "user" && parts.some((part) => part.type !== "text" || part.synthetic !== true);
}
