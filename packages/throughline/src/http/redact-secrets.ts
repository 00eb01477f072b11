import { findSecrets } from "../internal/find-secrets.ts";
import { isRecord } from "../internal/json.ts";

/** Names of headers and options that carry secrets. */
const SECRET_NAME =
  /auth|api[-_]?key|access[-_]?key|secret|token$|^token|cookie|password|passphrase|credential|signature/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || /(?:^|[-_])key$/i.test(name);
}

/**
 * Replaces keys, tokens, passwords and known secrets with asterisks of the same length. Card and account numbers stay:
 * conversations are about them, and changing them would change the content.
 */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  const found = findSecrets(text).filter(({ kind }) => !kind.endsWith("-number"));
  let hidden = text;
  for (const { start, end } of found) hidden = hidden.slice(0, start) + "*".repeat(end - start) + hidden.slice(end);
  for (const secret of known.filter((one) => one !== "")) hidden = hidden.replaceAll(secret, "*".repeat(secret.length));
  return hidden;
}

/** One chunk of a streamed text. */
interface Delta {
  readonly type: unknown;
  readonly id: unknown;
  readonly delta: string;
}

/** Redacts secrets that span several chunks of a text. The length of each chunk stays the same. */
export function redactStream(parts: readonly unknown[], hide: (text: string) => string): readonly unknown[] {
  const texts = new Map<string, string>();
  for (const part of parts) {
    if (isDelta(part)) texts.set(keyOf(part), (texts.get(keyOf(part)) ?? "") + part.delta);
  }
  const hidden = new Map([...texts].map(([key, text]) => [key, hide(text)]));
  const read = new Map<string, number>();
  return parts.map((part) => {
    if (!isDelta(part)) return part;
    const key = keyOf(part);
    const from = read.get(key) ?? 0;
    read.set(key, from + part.delta.length);
    return { ...part, delta: hidden.get(key)?.slice(from, from + part.delta.length) };
  });
}

function keyOf({ type, id }: Delta): string {
  return JSON.stringify([type, id]);
}

function isDelta(part: unknown): part is Delta {
  return isRecord(part) && typeof part.delta === "string";
}
