import type { Message } from "throughline";
import { findSecrets, isRecord, redactSecrets } from "throughline/internal";

/** A message without secrets, and how many were redacted. */
export interface RedactedMessage {
  readonly message: Message;
  readonly secrets: number;
}

/**
 * Replaces passwords, keys, tokens and card numbers by stars, in all texts of a message: what was said, arguments and
 * results of tools, and fields that only the source format knows.
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

function redactTexts(value: unknown, count: { secrets: number }): unknown {
  if (typeof value === "string") {
    const secrets = findSecrets(value);
    count.secrets += secrets.length;
    return secrets.length === 0 ? value : redactSecrets(value, secrets);
  }
  if (Array.isArray(value)) return value.map((one) => redactTexts(one, count));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactTexts(one, count)]));
}
