import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { adjustBoundaryForToolPairs, legalCutPoints } from "../message/tool-pairs.ts";
import { findOriginalTask, textOf } from "./original-task.ts";
import { SUMMARY_HEADING } from "./summary-heading.ts";

/** Whether a message is a summary: by its flag, or by its heading in a list that the caller keeps. */
export function isSummaryMessage(message: Message): boolean {
  if (message.isSummary === true) return true;
  return message.role === "assistant" && SUMMARY_HEADING.test(textOf(message));
}

/** A list divided for a compaction. Each message is in one of the two lists, or it is the previous summary. */
export interface CompactionSelection<M> {
  readonly messagesToCompact: readonly M[];
  readonly messagesToKeep: readonly M[];
  /** Text of the summary of an earlier round; `null` if there is none. */
  readonly previousSummary: string | null;
}

/**
 * Selects the messages that a compaction replaces if the last `keepLast` stay: all between the system message and the
 * nearest boundary that splits no tool call from its result, without an earlier summary.
 *
 * @example
 * const { messagesToCompact, messagesToKeep } = selectMessagesToCompact(messages, 10);
 */
export function selectMessagesToCompact<M extends Message | ForeignModelMessage>(
  messages: readonly M[],
  keepLast = 10,
): CompactionSelection<M> {
  const nothing = { messagesToCompact: [], messagesToKeep: messages };
  if (messages.length <= keepLast + 1) return { ...nothing, previousSummary: null };
  const window = toRichWindow(messages);
  const head = window[0]?.role === "system" ? 1 : 0;
  // The task or an opening may precede the summary.
  const found = window.slice(head, head + 2).findIndex(isSummaryMessage);
  const summary = found < 0 ? undefined : window[head + found];
  const previousSummary = summary === undefined ? null : textOf(summary);
  const start = head + found + 1;
  const boundary = adjustBoundaryForToolPairs(window, messages.length - keepLast);
  if (boundary <= start) return { ...nothing, previousSummary };
  const beforeSummary = messages.slice(head, Math.max(head, head + found));
  return {
    messagesToCompact: [...beforeSummary, ...messages.slice(start, boundary)],
    messagesToKeep: [...messages.slice(0, head), ...messages.slice(boundary)],
    previousSummary,
  };
}

/**
 * Leaves out failed replies without content. Replies that were stopped and have content stay.
 *
 * @example
 * const useful = filterMessagesForCompaction(messagesToCompact);
 */
export function filterMessagesForCompaction(messages: readonly Message[]): Message[] {
  return messages.filter((message) => {
    if (message.role !== "assistant" || message.error === undefined) return true;
    return message.parts.some((part) => part.type === "tool-call" || part.type === "text");
  });
}

/** A window divided for a compaction, as indices. */
export interface Span {
  /** The original task, which stays verbatim; -1 if it is in the tail or there is none. */
  readonly task: number;
  /** First message of the tail. All messages before it are replaced, except the task. */
  readonly tailStart: number;
}

/** The tail of a window: a number of messages, or a size. Its boundary never splits a tool pair. */
export type TailRule =
  | { readonly messages: number }
  | {
      /** Size of the tail, which has at least the last exchange; 0 for no tail. */
      readonly tokens: number;
      /** Turns of the user that stay even if they are larger, as many as fit into `most` tokens. */
      readonly turns?: number;
      readonly most?: number;
    };

/**
 * Divides a window into the messages that a compaction replaces and the tail; a number is a size in tokens.
 *
 * @returns `undefined` if there is nothing to replace.
 *
 * @example
 * const span = selectSpan(messages, { tokens: 20_000, turns: 2, most: 60_000 }, countMessageTokens);
 */
export function selectSpan(
  messages: readonly Message[],
  keep: TailRule | number,
  tokensOf: (message: Message) => number,
): Span | undefined {
  const tailStart = startOfTail(messages, typeof keep === "number" ? { tokens: keep } : keep, tokensOf);
  const first = findOriginalTask(messages);
  const task = first < tailStart ? first : -1;
  const replaced = tailStart - (task >= 0 ? 1 : 0);
  return replaced > 0 ? { task, tailStart } : undefined;
}

function startOfTail(messages: readonly Message[], keep: TailRule, tokensOf: (message: Message) => number): number {
  if ("messages" in keep) return adjustBoundaryForToolPairs(messages, messages.length - keep.messages);
  const { tokens, turns = 0, most = Number.POSITIVE_INFINITY } = keep;
  const suffix = suffixTokens(messages, tokensOf);
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
