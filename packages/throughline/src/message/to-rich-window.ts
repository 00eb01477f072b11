import { InvalidMessageError } from "../errors/invalid-message-error.ts";
import { isRecord } from "../internal/json.ts";
import { type ForeignModelMessage, readModelMessage } from "./convert/ai-sdk.ts";
import { freeIds } from "./free-ids.ts";
import { completeMessage, type Message } from "./message.ts";

/** Converts AI SDK messages and gives them unique ids. Throughline messages are returned as they are. */
export function toRichWindow(messages: readonly (Message | ForeignModelMessage)[]): readonly Message[] {
  if (!Array.isArray(messages)) throw new InvalidMessageError({ message: 0 }, "expected a list of messages");
  // Array.from visits the holes of a sparse array; a check with every() would skip them.
  const list = Array.from<unknown>(messages);
  if (list.every(isOwn)) return messages as readonly Message[];
  const freeId = freeIds(list.filter(isOwn).map(({ id }) => id));
  const provided = new Set<string>();
  return list.map((message, index) => {
    if (isOwn(message)) return message;
    if (!isRecord(message)) throw new InvalidMessageError({ message: index }, "expected an object");
    const draft = readModelMessage(message, index, provided);
    return completeMessage({ provenance: { format: "ai-sdk" }, ...draft }, index, {
      messageId: (at) => freeId(`m${at}`),
    });
  });
}

function isOwn(message: unknown): message is Message {
  return isRecord(message) && Array.isArray(message.parts);
}
