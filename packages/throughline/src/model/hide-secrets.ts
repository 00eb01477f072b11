import { findSecrets } from "../internal/find-secrets.ts";

/** Names under which keys travel, in headers and in options. */
const SECRET_NAME =
  /auth|api[-_]?key|access[-_]?key|secret|token$|^token|cookie|password|passphrase|credential|signature/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || /(?:^|[-_])key$/i.test(name);
}

/**
 * The same text with stars in the place of keys, tokens and passwords, and of what is known to be one; nothing moves.
 * Numbers of cards and accounts stay: they are what people talk about, and a text with other numbers is another text.
 */
export function hideSecrets(text: string, known: readonly string[] = []): string {
  const found = findSecrets(text).filter(({ kind }) => !kind.endsWith("-number"));
  let hidden = text;
  for (const { start, end } of found) hidden = hidden.slice(0, start) + "*".repeat(end - start) + hidden.slice(end);
  for (const secret of known.filter((one) => one !== "")) hidden = hidden.replaceAll(secret, "*".repeat(secret.length));
  return hidden;
}
