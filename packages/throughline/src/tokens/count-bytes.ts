import type { Message } from "../message/message.ts";
import type { FileData, Part } from "../message/part.ts";
import { jsonText } from "./json-text.ts";

/** Names of fields, quotes and brackets around a part or a message. */
const ENVELOPE = 128;

/** Parts are never changed in place, so a count stays true. */
const counted = new WeakMap<Part, number>();

/**
 * The bytes of messages as they travel: what a provider's API takes at the most is also a matter of these, because images
 * and files go as base64.
 *
 * @example
 * const fits = countTotalBytes(messages) <= 30_000_000;
 */
export function countTotalBytes(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + countMessageBytes(message), 0);
}

/**
 * The bytes of a message as JSON, near enough for a budget and never below.
 *
 * @example
 * const largest = Math.max(...messages.map(countMessageBytes));
 */
export function countMessageBytes(message: Message): number {
  return message.parts.reduce((sum, part) => sum + countPartBytes(part), ENVELOPE);
}

/**
 * The bytes of one part as JSON, its data as base64; counted once and then remembered.
 *
 * @example
 * const images = message.parts.filter((part) => part.type === "file").map(countPartBytes);
 */
export function countPartBytes(part: Part): number {
  const known = counted.get(part);
  if (known !== undefined) return known;
  const bytes = ENVELOPE + contentBytes(part);
  counted.set(part, bytes);
  return bytes;
}

function contentBytes(part: Part): number {
  if (part.type !== "file" && part.type !== "reasoning-file") return jsonBytes(part);
  const { data, ...rest } = part;
  return dataBytes(data) + jsonBytes(rest);
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
