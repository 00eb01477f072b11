import { findSecrets, isNamedSecret, redactSecrets } from "../internal/find-secrets.ts";
import { isRecord } from "../internal/json.ts";
import type { Message } from "./message.ts";

/** A message without secrets, and how many were redacted. */
export interface RedactedMessage {
  readonly message: Message;
  readonly secrets: number;
}

/**
 * Replaces passwords, keys, tokens and card numbers by stars, in all texts of a message: text, arguments and results
 * of tools, and fields that only the source format knows.
 */
export function redactMessage(message: Message): RedactedMessage {
  const count = { secrets: 0 };
  const { id, sessionId, role, parts, ...rest } = message;
  const redacted = {
    ...(redactTexts(rest, count) as typeof rest),
    id,
    sessionId,
    role,
    parts: redactParts(parts, count),
  };
  return count.secrets === 0 ? { message, secrets: 0 } : { message: redacted, secrets: count.secrets };
}

/** The parts of a message without secrets. */
export function redactParts(parts: Message["parts"], count = { secrets: 0 }): Message["parts"] {
  return parts.map((part) => redactTexts(part, count) as typeof part);
}

/** @param name Name of the field or argument that has the value; elements of a list have the name of the list. */
function redactTexts(value: unknown, count: { secrets: number }, name = ""): unknown {
  if (typeof value === "string") return redactText(value, count, name);
  if (Array.isArray(value)) return value.map((one) => redactTexts(one, count, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactTexts(one, count, key)]));
}

function redactText(text: string, count: { secrets: number }, name: string): string {
  if (isNamedSecret(name, text)) {
    count.secrets += 1;
    return "*".repeat(text.length);
  }
  const secrets = findSecrets(text);
  count.secrets += secrets.length;
  if (secrets.length === 0) return text;
  return isJsonText(text) ? redactJson(text, secrets) : redactSecrets(text, secrets);
}

/** A part of a text, `end` exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** True for a JSON object or list. */
function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces secrets in JSON text. The result is JSON of the same length: a character and its escape are replaced
 * together, quotes around strings stay, and a number becomes a string of stars.
 *
 * @param text valid JSON
 * @param secrets in the order of the text, without overlaps
 */
function redactJson(text: string, secrets: readonly Span[]): string {
  const pieces: string[] = [];
  let copied = 0;
  let next = 0;
  for (const { start, end } of redactableUnits(text)) {
    while ((secrets[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const secret = secrets[next];
    if (secret === undefined) break;
    if (secret.start >= end) continue;
    const isNumber = end - start > 1 && text[start] !== "\\";
    pieces.push(text.slice(copied, start), isNumber ? `"${"*".repeat(end - start - 2)}"` : "*".repeat(end - start));
    copied = end;
  }
  return pieces.join("") + text.slice(copied);
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The characters of all strings, each with its escape, and the numbers. */
function* redactableUnits(text: string): Generator<Span> {
  let isInString = false;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + 1;
    if (text[start] === '"') isInString = !isInString;
    else if (isInString) {
      if (text[start] === "\\") end += text[start + 1] === "u" ? 5 : 1;
      yield { start, end };
    } else {
      NUMBER.lastIndex = start;
      if (!NUMBER.test(text)) continue;
      end = NUMBER.lastIndex;
      yield { start, end };
    }
  }
}
