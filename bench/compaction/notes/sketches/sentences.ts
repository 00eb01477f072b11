/** Sentences that announce the next step, such as "Let me look at the tests". */
const NARRATION =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|now|next|first|then|also|so|and|alright|right|yes|sure)[,.!:]?\s+)*(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|i need to|now i|we need to)\b/i;
const MIN_WORDS = 5;

/**
 * The sentences of a text that state something: no narration, headings, table rows, code, or introductions of lists.
 */
export function statementsIn(text: string): string[] {
  return linesOf(text).filter(isProse).flatMap(splitSentences).filter(isStatement);
}

/** All sentences of a text, with headings and table rows, but without code blocks. */
export function sentencesIn(text: string): string[] {
  return linesOf(text).flatMap(splitSentences);
}

/** The lines outside of code blocks. */
function linesOf(text: string): string[] {
  return text
    .split("```")
    .filter((_, index) => index % 2 === 0)
    .flatMap((block) => block.split("\n"));
}

function isProse(line: string): boolean {
  return !/^\s*(?:#|\||-{3,}|={3,})/.test(line);
}

function splitSentences(line: string): string[] {
  return line
    .split(/(?<=[.!?])\s+(?=[A-Z`*"'([])/)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim());
}

function isStatement(sentence: string): boolean {
  if (/[:?]\W*$/.test(sentence) || NARRATION.test(sentence)) return false;
  return sentence.split(/\s+/).length >= MIN_WORDS;
}
