import { createHash } from "node:crypto";
import { toStoredText } from "../stored-text.ts";

const MAX_KEY_CHARS = 200;

/**
 * Index key for a text that is only compared: PostgreSQL limits index entries to a third of a page. The key of a long
 * text ends in a digest of the whole text, which makes it longer than any other key.
 */
export function lookupKey(text: string): string {
  if (text.length <= MAX_KEY_CHARS) return toStoredText(text);
  const digest = createHash("sha256").update(toStoredText(text)).digest("base64url");
  return toStoredText(text.slice(0, MAX_KEY_CHARS) + digest);
}
