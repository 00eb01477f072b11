import { wordsTokens } from "../ledger/render/note-draft.ts";
import type { NoteReader } from "../ledger/render/note-style.ts";
import type { Message } from "../message/message.ts";
import { adjustBoundaryForToolPairs, legalCutPoints } from "../message/tool-pairs.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { MIN_STORY_TOKENS, readSummary } from "./compose-summary.ts";
import { editedParts } from "./edited-parts.ts";
import type { CompactionPolicy } from "./policy.ts";
import { findOriginalTask, isSpeech, textOf } from "./select-messages.ts";
import { type Entry, pinnedBehind, type WindowSources, type WindowState } from "./window.ts";

/** A window with its state. */
export interface DivisibleWindow {
  readonly state: WindowState;
  readonly sources: WindowSources;
  /** The messages of the window, as `materialize` returns them. */
  readonly window: readonly Message[];
  readonly counter: TokenCounter;
}

/** The entries of a window, grouped by their fate in a compaction. */
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
type TailRule =
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
    const own = "event" in entry ? (sources.events.get(entry.event)?.summaryMessages.length ?? 0) : 1;
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

/** Settings of one compaction. */
export interface CompactionLimits {
  /** Tokens at which the next compaction is due; the shares of the policy refer to it. */
  readonly trigger: number;
  /** Tokens that the shares of the tail and of the last turns refer to (default: the trigger). */
  readonly tailOf?: number | undefined;
  /** Maximum size of the summary, ledger included; by default set by the policy. */
  readonly targetTokens?: number | undefined;
  /** Size of the verbatim tail (0: none), in tokens or as a share of the trigger; by default set by the policy. */
  readonly keepTokens?: number | undefined;
  readonly keepShare?: number | undefined;
  /** Number of messages in the tail, instead of a size. */
  readonly keepMessages?: number | undefined;
  /** Turns of the user that stay whole. */
  readonly minTurns?: number | undefined;
  /** If the result would be larger than this, the prose of an earlier summary is left out. */
  readonly maxTokens?: number | undefined;
  /** Keeps the requested tail, even if the window stays near the trigger or above it. */
  readonly isExact?: boolean;
  /** Topic that the summary should keep above all. */
  readonly focus?: string | undefined;
  /** Reader of the summary (default: a model). */
  readonly reader?: NoteReader | undefined;
  /** True if the history is kept, so that the summary can name a handle for the compacted messages. */
  readonly hasHistory?: boolean;
}

/** Sizes of the tail, and of the summary with its parts in tokens. */
interface CompactionSizes {
  readonly tail: TailRule;
  readonly target: number;
  readonly quotes: number;
  /** Maximum for the user's rules, as a part of the quotes or else of the summary. */
  readonly rules: number;
  /** Prose of an earlier summary, or "", and the tokens for it. */
  readonly earlier: { readonly text: string; readonly tokens: number };
}

/** Tokens of the title above the prose of an earlier summary. */
const TITLE_TOKENS = 8;

/** Sizes by the policy, or as the caller set them. */
export function compactionSizes(
  { state: { ledger }, window, counter }: DivisibleWindow,
  policy: CompactionPolicy,
  limits: CompactionLimits,
): CompactionSizes {
  const { summary, quotes: words, rules, earlierShare, ofTarget } = policy;
  const { trigger, targetTokens, keepTokens, keepShare } = limits;
  const max =
    targetTokens === undefined
      ? {
          quotes: Math.floor(Math.min(words.maxTokens, trigger * words.share)),
          earlier: Math.floor(trigger * earlierShare),
        }
      : { quotes: Math.floor(targetTokens * ofTarget.quotes), earlier: Math.floor(targetTokens * ofTarget.earlier) };
  const quotes = max.quotes === 0 ? 0 : Math.min(max.quotes, wordsTokens(ledger, counter.text, max.quotes));
  const prose = earlierProse(window);
  const earlier =
    prose === "" ? 0 : Math.min(max.earlier, Math.max(MIN_STORY_TOKENS, counter.text(prose) + TITLE_TOKENS));
  const atLeast = Math.min(summary.minTokens, trigger * summary.maxShare);
  const own = Math.floor(Math.min(summary.maxTokens, Math.max(atLeast, trigger * summary.share)));
  const target = targetTokens ?? own + quotes + earlier;
  const after = (keepTokens ?? keepShare) === undefined ? policy.afterShare : policy.maxAfterShare;
  const maxTokens = Math.max(1, Math.floor(trigger * after) - target - counter.messages(headOf(window)));
  const maxRules = Math.floor(Math.min(Math.max(rules.minTokens, trigger * rules.share), target / 2));
  const tail = tailRule(policy, limits, maxTokens);
  return { target, quotes, rules: maxRules, earlier: { text: prose, tokens: earlier }, tail };
}

/**
 * The tail by the policy, or as the caller set it. `room` is the size that leaves the window clearly below its trigger:
 * a larger tail would cause the next compaction at once.
 */
function tailRule(policy: CompactionPolicy, limits: CompactionLimits, maxTokens: number): TailRule {
  const { trigger, tailOf = trigger, keepTokens, keepShare, keepMessages, minTurns = 0, isExact } = limits;
  if (isExact && keepTokens !== undefined) return { tokens: keepTokens };
  const isCounted = keepTokens === undefined && keepShare === undefined && keepMessages !== undefined;
  if (isCounted) return { messages: keepMessages, most: maxTokens };
  const tokens = Math.floor(keepTokens ?? tailOf * (keepShare ?? policy.tailShare));
  const most = Math.min(maxTokens, Math.floor(tailOf * policy.turnsShare));
  // A caller who wants no tail gets none. The policy without a tail keeps the last turns.
  const turns = tokens === 0 && (keepTokens ?? keepShare) !== undefined ? 0 : minTurns;
  return { tokens: Math.min(tokens, maxTokens), turns, most };
}

/** The messages that every compaction keeps at the start. */
function headOf(window: readonly Message[]): readonly Message[] {
  const task = findOriginalTask(window);
  return window.filter((message, index) => index === task || message.role === "system");
}

/**
 * Prose of the first summary in a window, by a model or by another agent. Empty if the ledger has read what came before
 * that summary.
 */
function earlierProse(window: readonly Message[]): string {
  const at = window.findIndex((message) => message.isSummary === true);
  const summary = window[at];
  if (summary === undefined) return "";
  const { prose, record } = readSummary(textOf(summary));
  const before = window.slice(0, at).filter((message) => message.role !== "system");
  return record === undefined && before.length > 1 ? "" : prose;
}
