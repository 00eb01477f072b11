import { createHash } from "node:crypto";
import { toStoredText } from "../stored-text.ts";

const LONGEST = 200;

/**
 * A text that is only ever compared, as an index keeps it: PostgreSQL's take a third of a page. One that is too long ends
 * in a digest of all of it, and is then longer than any other.
 */
export function lookupKey(text: string): string {
  if (text.length <= LONGEST) return toStoredText(text);
  const digest = createHash("sha256").update(toStoredText(text)).digest("base64url");
  return toStoredText(text.slice(0, LONGEST) + digest);
}
