import type { Message } from "../message/message.ts";
import type { FileData, Part } from "../message/part.ts";
import { jsonText } from "./json-text.ts";

/** What a provider's API takes at the most is also a matter of bytes: images and files travel as base64. */
export function countTotalBytes(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + countMessageBytes(message), 0);
}

/** The bytes of a message as JSON, near enough for a budget and never below. */
export function countMessageBytes(message: Message): number {
  return message.parts.reduce((sum, part) => sum + countPartBytes(part), ENVELOPE);
}

/** Names of fields, quotes and brackets around a part or a message. */
const ENVELOPE = 128;

export function countPartBytes(part: Part): number {
  if (part.type === "file" || part.type === "reasoning-file") {
    const { data, ...rest } = part;
    return ENVELOPE + dataBytes(data) + jsonBytes(rest);
  }
  return ENVELOPE + jsonBytes(part);
}

function dataBytes(data: FileData): number {
  if (data.type === "data")
    return typeof data.data === "string" ? data.data.length : Math.ceil(data.data.length / 3) * 4;
  return jsonBytes(data);
}

function jsonBytes(value: unknown): number {
  return utf8Length(jsonText(value));
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    // Half a surrogate pair is two of the four bytes of its character.
    if (code > 0x7ff) bytes += (code & 0xf800) === 0xd800 ? 1 : 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}
