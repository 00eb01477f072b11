import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";

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
