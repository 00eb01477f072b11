import { findSecrets, isNamedSecret, redactSecrets } from "../internal/find-secrets.ts";
import { isRecord } from "../internal/json.ts";
import type { Message } from "./message.ts";
import { isJsonText, redactJson } from "./redact-json.ts";

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
