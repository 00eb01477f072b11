import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { SUMMARY_HEADING, SUMMARY_PREFIX } from "../message/message-text.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { adjustBoundaryForToolPairs } from "../message/tool-pairs.ts";

/** True if a message is a summary: by its flag, or by its first line in a list that the caller keeps. */
export function isSummaryMessage(message: Message): boolean {
  if (message.isSummary === true) return true;
  if (message.role !== "assistant") return false;
  const text = textOf(message);
  return SUMMARY_HEADING.test(text) || text.startsWith(SUMMARY_PREFIX);
}

/** A list divided for a compaction. Each message is in one of the two lists, or it is the previous summary. */
export interface CompactionSelection<M = Message | ForeignModelMessage> {
  /** Messages that a summary should replace. */
  readonly messagesToCompact: readonly M[];
  /** The first message and the tail. */
  readonly messagesToKeep: readonly M[];
  /** Text of the summary of an earlier round; `null` if there is none. */
  readonly previousSummary: string | null;
}

/**
 * Divides a list into the messages that a summary should replace and those that stay: the first message and the tail.
 * The boundary never separates a tool call from its result.
 *
 * @param messages The whole conversation, in the format of the AI SDK or Throughline's own.
 * @param keepLast Number of messages in the tail; more if a tool call would lose its result. Default: 10. A list with
 *   at most one message more stays whole.
 * @throws InvalidMessageError if a message cannot be converted.
 *
 * @example
 * const { messagesToCompact, previousSummary } = selectMessagesToCompact(messages, 10);
 */
export function selectMessagesToCompact<M extends Message | ForeignModelMessage>(
  messages: readonly M[],
  keepLast = 10,
): CompactionSelection<M> {
  const nothing = { messagesToCompact: [], messagesToKeep: messages };
  if (messages.length <= keepLast + 1) return { ...nothing, previousSummary: null };
  const window = toRichWindow(messages);
  // The first message stays: the system prompt, or the task if the prompt is not in the list.
  const head = window.slice(0, 1).some(isSummaryMessage) ? 0 : 1;
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
 * Removes failed replies without content, so that they are not summarized. Replies that were stopped and have text or
 * tool calls stay.
 *
 * @param messages Messages to summarize.
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

/** True if a message has text by the user. */
export function isSpeech(message: Message): boolean {
  if (message.role !== "user" || message.isSummary) return false;
  return message.parts.some((part) => part.type === "text" && part.synthetic !== true && part.text.trim() !== "");
}

/** Index of the user's first message with text; -1 if there is none. */
export function findOriginalTask(messages: readonly Message[]): number {
  return messages.findIndex(isSpeech);
}

/**
 * Returns the user's first request, verbatim.
 *
 * @param messages The whole conversation, in the format of the AI SDK or Throughline's own.
 * @returns the text of the first user message with text; `Unknown task` if there is none.
 * @throws InvalidMessageError if a message cannot be converted.
 *
 * @example
 * extractOriginalTask([{ role: "user", content: "Rename it" }]); // "Rename it"
 */
export function extractOriginalTask(messages: readonly (Message | ForeignModelMessage)[]): string {
  const window = toRichWindow(messages);
  const task = window[findOriginalTask(window)];
  return task === undefined ? "Unknown task" : textOf(task);
}

/** Returns the text of a message, or of a summary. */
export function textOf(message: Message): string {
  return message.parts
    .map((part) => (part.type === "text" ? part.text : part.type === "compaction-marker" ? part.summary : ""))
    .filter((text) => text !== "")
    .join("\n");
}
