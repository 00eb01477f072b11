/** A sentence as it stands in a text. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Where a sentence can end: signs with what closes them and space behind, or a break. The lookbehind keeps a run of signs linear. */
const END = /(?<![.!?…])[.!?…]+["')\]”’]*(?=\s)|\n+/g;
/** A point behind these ends no sentence. */
const SHORTENED =
  /(?:^|[\s(])(?:(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|no|dept|approx|inc|ltd|co|e\.g|i\.e|a\.m|p\.m|u\.s)|\p{L})\.$/iu;
const NEXT = /^\s*["'“(*`[]?[\p{Lu}\p{Lo}\p{N}"'“(*`⚠[]/u;

/** The sentences of a text with the places where they stand; space around them belongs to none. */
export function splitSentences(text: string): Sentence[] {
  const ends: number[] = [];
  for (const { 0: sign, index } of text.matchAll(END)) {
    const end = index + sign.length;
    if (sign.startsWith("\n") || isEnd(text, end)) ends.push(end);
  }
  return [...ends, text.length].flatMap((end, at) => trimmed(text, ends[at - 1] ?? 0, end));
}

function isEnd(text: string, end: number): boolean {
  return !SHORTENED.test(text.slice(Math.max(0, end - 12), end)) && NEXT.test(text.slice(end, end + 12));
}

function trimmed(text: string, from: number, to: number): Sentence[] {
  const piece = text.slice(from, to);
  const start = from + piece.length - piece.trimStart().length;
  const said = piece.trim();
  return said === "" ? [] : [{ text: said, start, end: start + said.length }];
}
