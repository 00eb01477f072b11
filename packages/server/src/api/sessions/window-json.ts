import type { Message } from "throughline";
import { convertRichToModel } from "throughline/messages";

/**
 * Cache: the JSON of a message in the form of the AI SDK. Messages are immutable and stay in the window for many turns.
 */
const written = new WeakMap<Message, string>();

/** JSON of the messages of a window, in the form of the AI SDK. */
export function windowJson(window: readonly Message[]): string {
  return `[${window
    .map(messageJson)
    .filter((text) => text !== "")
    .join(",")}]`;
}

/** A message may become several ones, or none. */
function messageJson(message: Message): string {
  let text = written.get(message);
  if (text === undefined) {
    text = JSON.stringify(convertRichToModel([message])).slice(1, -1);
    written.set(message, text);
  }
  return text;
}
