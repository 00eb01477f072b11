import type { Message } from "../message/message.ts";
import type { FileData, Part } from "../message/part.ts";

/** Bytes of field names, quotes and brackets around a part or message. */
const ENVELOPE = 128;

/** Cache. Parts are immutable, so counts stay valid. */
const counted = new WeakMap<Part, number>();

/**
 * Counts the bytes of messages as JSON. Providers also limit the size of a request in bytes, which images and files
 * reach as base64.
 *
 * @param messages Messages of the request.
 *
 * @example
 * const fits = countTotalBytes(messages) <= 30_000_000;
 */
export function countTotalBytes(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + countMessageBytes(message), 0);
}

/**
 * Counts the bytes of a message as JSON: an estimate that is never too low.
 *
 * @param message Message to measure.
 *
 * @example
 * const largest = Math.max(...messages.map(countMessageBytes));
 */
export function countMessageBytes(message: Message): number {
  return message.parts.reduce((sum, part) => sum + countPartBytes(part), ENVELOPE);
}

/**
 * Counts the bytes of one part as JSON, with its data as base64. The result is cached.
 *
 * @param part Part to measure.
 *
 * @example
 * const sizes = messages.flatMap(({ parts }) => parts.map(countPartBytes));
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
    // Each surrogate counts as two of the four bytes of its character.
    if (code > 0x7ff) bytes += (code & 0xf800) === 0xd800 ? 1 : 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}

/** Returns a value as JSON. A value that is nested too deeply becomes a list of its names and values. */
export function jsonText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return flatText(value);
    throw error;
  }
}

function flatText(value: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) texts.push(String(next));
    else for (const [name, inner] of Object.entries(next)) open.push(inner, name);
  }
  return texts.join(" ");
}
