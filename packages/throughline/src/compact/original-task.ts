import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";

/** Whether a person said something in this message. */
export function isSpeech(message: Message): boolean {
  if (message.role !== "user" || message.isSummary) return false;
  return message.parts.some((part) => part.type === "text" && part.synthetic !== true && part.text.trim() !== "");
}

/** The index of the first thing that the user asked for; -1 where nobody spoke. */
export function findOriginalTask(messages: readonly Message[]): number {
  return messages.findIndex(isSpeech);
}

/**
 * What the user asked for first, word for word.
 *
 * @example
 * extractOriginalTask([{ role: "user", content: "Rename it" }]); // "Rename it"
 */
export function extractOriginalTask(messages: readonly (Message | ForeignModelMessage)[]): string {
  const window = toRichWindow(messages);
  const task = window[findOriginalTask(window)];
  return task === undefined ? "Unknown task" : textOf(task);
}

/** What a message says in words; a summary too. */
export function textOf(message: Message): string {
  return message.parts
    .map((part) => (part.type === "text" ? part.text : part.type === "compaction-marker" ? part.summary : ""))
    .filter((text) => text !== "")
    .join("\n");
}
