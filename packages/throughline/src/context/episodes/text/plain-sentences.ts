import { oneLine } from "../../../internal/text.ts";
import { readProse } from "../../../language/sentences.ts";

/** Filler sentences of a reply: offers, questions and confirmations. */
const SAYS_NOTHING =
  /^(?:done|great|perfect|good|ok(?:ay)?|sure|yes|no|got it|all (?:tests?|checks?|green|good|set|done)|tests? (?:all )?pass|everything|here(?:'|’)s|here is|here are|let me|let(?:'|’)s|would you|do you|want me|should i|shall i|i(?:'|’)ll|i will|now |next|summary|note|the (?:following|changes are))\b[^.!?]{0,60}[.!?:]?$|\?$|:$|^(?:would you|do you want|want me|should i|shall i|let me know|feel free|please|thanks?|thank you|sorry|i(?:'|’)m sorry|i apologi[sz]e|i understand|i can)\b/i;
/** Introductory words: "Done. I've added". */
const LEAD =
  /^(?:(?:done|great|perfect|yes|good|all done|now)[.!,]\s+)?(?:(?:i|we)(?:(?:'|’)ve| have)?\s+(?=(?:also |now |just )?(?:\w+ed|made|wrote|ran|found|built|set|put|took|kept|split)\b))?/i;
const MAX_LENGTH = 320;
const MIN_LENGTH = 14;
const MAX_SYMBOLS = 60;

/**
 * Informative sentences of a Markdown reply, without code, tables and headings. Each is on one line and ends with a
 * period. A list item is a sentence.
 */
export function plainSentences(markdown: string): readonly string[] {
  return readProse(markdown, { plain: true })
    .filter((sentence) => sentence.length >= MIN_LENGTH && !SAYS_NOTHING.test(sentence))
    .slice(0, MAX_SYMBOLS)
    .map((sentence) => withStop(capitalize(oneLine(sentence.replace(LEAD, ""), MAX_LENGTH))));
}

/** A text with a capital at its start, unless it starts with an identifier such as `getUser` or `req.body`. */
export function capitalize(text: string): string {
  return /^\p{Ll}[\p{L}\d]*(?:[\p{Lu}\d_(=]|[./]\p{L})/u.test(text)
    ? text
    : text.charAt(0).toUpperCase() + text.slice(1);
}

function withStop(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text.replace(/(?<![,;:])[,;:]+$/, "")}.`;
}
