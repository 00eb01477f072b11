import { convertModelToRich, type ForeignModelMessage } from "./convert/ai-sdk.ts";
import type { Message } from "./message.ts";

/** Our own messages as they are; the AI SDK's read. */
export function toRichWindow(messages: readonly (Message | ForeignModelMessage)[]): readonly Message[] {
  const isOwn = (message: Message | ForeignModelMessage) => "parts" in message && Array.isArray(message.parts);
  return messages.every(isOwn)
    ? (messages as readonly Message[])
    : convertModelToRich(messages as readonly ForeignModelMessage[]);
}
