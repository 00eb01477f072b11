import { isWeak } from "./shorten-words.ts";

const BECAUSE = /\s(?:because of|because|due to|thanks to|on account of|since|for its|owing to)\s+(.+?)[.!]?$/is;
/** Longer texts contain more than a claim and its reasons. */
const MAX_TEXT_LENGTH = 1_000;
const MAX_REASONS = 3;
const MAX_WORDS = 3;

/** A sentence without its reasons, and these as short phrases. */
export function readReasons(text: string): { readonly claim: string; readonly reasons: readonly string[] } {
  const match = text.length > MAX_TEXT_LENGTH ? null : BECAUSE.exec(text);
  if (match === null) return { claim: text, reasons: [] };
  const reasons = (match[1] ?? "")
    .split(/(?:(?<!\s)\s+)?,\s*(?:and\s+)?|(?<!\s)\s+and\s+/i)
    .map(shortenReason)
    .filter((reason) => reason !== "");
  return { claim: text.slice(0, match.index), reasons: reasons.slice(0, MAX_REASONS) };
}

/** "its strong support for JSON operations" is "JSON support". */
function shortenReason(reason: string): string {
  const [head = "", of = ""] = reason.split(/(?<!\s)\s+(?:for|of)\s+/i, 2);
  const words = [...wordsOf(of), ...wordsOf(head)];
  return words.slice(-MAX_WORDS).join(" ");
}

function wordsOf(phrase: string): string[] {
  const words = phrase.match(/[\p{L}\p{N}][\p{L}\p{N}+#.'/-]*/gu) ?? [];
  return words.map((word) => word.replace(/'s$|(?<![.'])[.']+$/g, "")).filter((word) => !isWeak(word));
}
