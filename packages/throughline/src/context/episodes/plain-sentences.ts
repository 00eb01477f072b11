import { oneLine } from "../../internal/one-line.ts";

/** What a reply says beside what was done: offers, questions, and that all is well. */
const SAYS_NOTHING =
  /^(?:done|great|perfect|good|ok(?:ay)?|sure|yes|no|got it|all (?:tests?|checks?|green|good|set|done)|tests? (?:all )?pass|everything|here(?:'|’)s|here is|here are|let me|let(?:'|’)s|would you|do you|want me|should i|shall i|i(?:'|’)ll|i will|now |next|summary|note|the (?:following|changes are))\b[^.!?]{0,60}[.!?:]?$|\?$|:$|^(?:would you|do you want|want me|should i|shall i|let me know|feel free|please|thanks?|thank you|sorry|i(?:'|’)m sorry|i apologi[sz]e|i understand|i can)\b/i;
/** What only leads to what was done: "Done. I've added". */
const LEAD =
  /^(?:(?:done|great|perfect|yes|good|all done|now)[.!,]?\s+)?(?:(?:i|we)(?:(?:'|’)ve| have)?\s+(?=(?:also |now |just )?(?:\w+ed|made|wrote|ran|found|built|set|put|took|kept|split)\b))?/i;
const FENCE = /^\s*(?:```|~~~)/;
/** A line that is as long as this may have been broken for its width. */
const WIDE = 60;
const LONGEST = 240;
const SHORTEST = 14;
const MOST = 60;

/**
 * The sentences of a reply in markdown that say something, without code, tables and headings, each on one line with a stop
 * at its end. An item of a list is a sentence.
 */
export function plainSentences(markdown: string): readonly string[] {
  const sentences: string[] = [];
  let inFence = false;
  for (const line of unwrap(markdown)) {
    if (FENCE.test(line)) inFence = !inFence;
    else if (!inFence && !/^\s*(?:\||#{1,6}\s|>|[-=*_]{3,}\s*$)/.test(line)) sentences.push(...sentencesOf(line));
    if (sentences.length >= MOST) break;
  }
  return sentences;
}

/** Lines, those of a paragraph that was broken to a width put together again. */
function unwrap(markdown: string): readonly string[] {
  const lines: string[] = [];
  let inFence = false;
  for (const line of markdown.split("\n")) {
    const before = lines.at(-1);
    if (FENCE.test(line)) inFence = !inFence;
    const isOpen = before !== undefined && before.trim() !== "" && !/[.!?:;|]\s*$/.test(before) && !FENCE.test(before);
    const goesOn = /^[\p{Ll}(]/u.test(line) || ((before?.length ?? 0) >= WIDE && /^\p{L}/u.test(line));
    if (!inFence && isOpen && goesOn && !/^\s*(?:#{1,6}\s|>)/.test(before))
      lines[lines.length - 1] = `${before} ${line}`;
    else lines.push(line);
  }
  return lines;
}

function sentencesOf(line: string): readonly string[] {
  const text = line
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/, "")
    .replace(/\[([^\]]{1,120})\]\([^)]{1,300}\)/g, "$1")
    .replace(/\*\*|__|`/g, "")
    .replace(/[✅✓✔❌🎉]\ufe0f?\s?/gu, "")
    .trim();
  return text
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\d"'(])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= SHORTEST && !SAYS_NOTHING.test(sentence) && isProse(sentence))
    .map((sentence) => withStop(capitalised(oneLine(sentence.replace(LEAD, ""), LONGEST))));
}

/** Words, and few of the marks that programs are made of. */
function isProse(sentence: string): boolean {
  const marks = sentence.match(/[{}[\]=<>;|\\$]/g)?.length ?? 0;
  return marks * 12 <= sentence.length && /\p{L}{2}\s+\S*\p{L}{2}/u.test(sentence);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function withStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text.replace(/(?<![,;:])[,;:]+$/, "")}.`;
}
