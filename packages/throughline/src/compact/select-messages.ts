import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { adjustBoundaryForToolPairs, legalCutPoints } from "../message/tool-pairs.ts";
import { findOriginalTask, textOf } from "./original-task.ts";

const SUMMARY_HEADING = /^#{2,3} Session Summary\b/;

/** A summary of ours by its mark, and one in a foreign list by its heading. */
function isSummaryMessage(message: Message): boolean {
  if (message.isSummary === true) return true;
  return message.role === "assistant" && SUMMARY_HEADING.test(textOf(message));
}

export interface CompactionSelection<M> {
  readonly messagesToCompact: readonly M[];
  readonly messagesToKeep: readonly M[];
  readonly previousSummary: string | null;
}

/**
 * Which messages a compaction replaces when the last `keepLast` stay: all between the system message, a summary that
 * is already there, and the nearest boundary before which no call loses its result.
 */
export function selectMessagesToCompact<M extends Message | ForeignModelMessage>(
  messages: readonly M[],
  keepLast = 10,
): CompactionSelection<M> {
  const nothing = { messagesToCompact: [], messagesToKeep: messages };
  if (messages.length <= keepLast + 1) return { ...nothing, previousSummary: null };
  const window = toRichWindow(messages);
  const head = window[0]?.role === "system" ? 1 : 0;
  // The task, or an opening, may stand before it.
  const found = window.slice(head, head + 2).findIndex(isSummaryMessage);
  const summary = found < 0 ? undefined : window[head + found];
  const previousSummary = summary === undefined ? null : textOf(summary);
  const start = summary === undefined ? head : head + found + 1;
  const boundary = adjustBoundaryForToolPairs(window, messages.length - keepLast);
  if (boundary <= start) return { ...nothing, previousSummary };
  return {
    messagesToCompact: messages.slice(start, boundary),
    messagesToKeep: [...messages.slice(0, head), ...messages.slice(boundary)],
    previousSummary,
  };
}

/** Leaves out replies that failed and say nothing; what was stopped half-way and has content stays. */
export function filterMessagesForCompaction(messages: readonly Message[]): Message[] {
  return messages.filter((message) => {
    if (message.role !== "assistant" || message.error === undefined) return true;
    return message.parts.some((part) => part.type === "tool-call" || part.type === "text");
  });
}

/** How a window is divided for a compaction, as indices. */
export interface Span {
  /** The original task, which stays word for word; -1 where it is in the tail or nobody spoke. */
  readonly task: number;
  /** The messages before this one, the task apart, are replaced. */
  readonly tailStart: number;
}

/**
 * The longest tail of whole pairs within `keepTokens`, and at least the last exchange unless that is 0; `undefined` where
 * nothing would be left to replace.
 */
export function selectSpan(
  messages: readonly Message[],
  keepTokens: number,
  tokensOf: (message: Message) => number,
): Span | undefined {
  const suffix = suffixTokens(messages, tokensOf);
  const cuts = legalCutPoints(messages);
  const inner = keepTokens > 0 ? cuts.filter((cut) => cut < messages.length) : cuts;
  const tailStart = inner.find((cut) => (suffix[cut] ?? 0) <= keepTokens) ?? inner.at(-1) ?? 0;
  const first = findOriginalTask(messages);
  const task = first < tailStart ? first : -1;
  const replaced = tailStart - (task >= 0 ? 1 : 0);
  return replaced > 0 ? { task, tailStart } : undefined;
}

function suffixTokens(messages: readonly Message[], tokensOf: (message: Message) => number): number[] {
  const suffix = new Array<number>(messages.length + 1).fill(0);
  for (let i = messages.length - 1; i >= 0; i -= 1) {
    const message = messages[i];
    suffix[i] = (suffix[i + 1] ?? 0) + (message === undefined ? 0 : tokensOf(message));
  }
  return suffix;
}
