import { isUnspaced } from "./words.ts";

/** A range of a text, `end` exclusive. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface SentenceOptions {
  /** Allows sentences to begin with a lower-case letter, as in a chat (default: false). */
  readonly anyCase?: boolean;
}

/**
 * A possible end of a sentence: punctuation before white space, full stops of scripts without spaces, or line breaks.
 * The lookbehinds keep the search linear on runs of punctuation.
 */
const END = /(?<![.!?…।؟۔])[.!?…।؟۔]+["')\]”’»]*(?=\s|$)|(?<![。！？｡])[。！？｡]+["')\]”’」』）]*|\n+/g;
const MAX_ABBREVIATION_LENGTH = 16;
const MAX_LOOKAHEAD = 64;
/** A full stop after one of these, or after an initial, does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|dept|approx|inc|ltd|co|e\.g|i\.e|a\.m|p\.m|u\.s)\.$/i;
const INITIAL = /(?:^|[\s(])(?!I)\p{Lu}\.$/u;
/** Nouns with a letter as their name, as in "plan B". */
const LETTERED = /\b(?:plan|option|vitamin|type|grade|class|version|step|phase|part|group|team|level) \p{Lu}\.$/iu;
const NUMBER_SIGN = /(?:^|[\s(])no\.$/i;
/** The number of a heading in bold: `**1. Parser** reads …`. */
const BOLD_NUMBER = /(?:^|\s)(?:\*\*|__)\d{1,3}\.$/;
const BEGINS = /^\s*["'“(*`[]?[\p{Lu}\p{Lo}\p{N}"'“(*`⚠[]/u;

/**
 * Splits a text in any script into sentences with their positions. White space around a sentence belongs to none.
 *
 * @example
 * splitSentences("Dr. Lee called. It is 3.5 m.").map(({ text }) => text); // ["Dr. Lee called.", "It is 3.5 m."]
 */
export function splitSentences(text: string, options: SentenceOptions = {}): Sentence[] {
  const ends: number[] = [];
  for (const { 0: mark, index } of text.matchAll(END)) {
    const end = index + mark.length;
    if (/^[\n。！？｡]/.test(mark) || isEnd(text, end, options)) ends.push(end);
  }
  return [...ends, text.length].flatMap((end, at) => trimmed(text, ends[at - 1] ?? 0, end));
}

function isEnd(text: string, end: number, { anyCase = false }: SentenceOptions): boolean {
  const before = text.slice(Math.max(0, end - MAX_ABBREVIATION_LENGTH), end);
  const after = text.slice(end, end + MAX_LOOKAHEAD);
  if (ABBREVIATION.test(before) || (INITIAL.test(before) && !LETTERED.test(before))) return false;
  if (BOLD_NUMBER.test(before)) return false;
  if (NUMBER_SIGN.test(before) && /^\s+[#\d]/.test(after)) return false;
  return anyCase || BEGINS.test(after);
}

function trimmed(text: string, from: number, to: number): Sentence[] {
  const piece = text.slice(from, to);
  const start = from + piece.length - piece.trimStart().length;
  const sentence = piece.trim();
  return sentence === "" ? [] : [{ text: sentence, start, end: start + sentence.length }];
}

const CODE_MARKS = /[{}[\]=<>;|\\$]/g;
/** Minimum number of characters per code mark in prose. */
const MIN_CHARACTERS_PER_MARK = 12;
/**
 * Two words without punctuation between them. A single letter may separate them, as in "added a test". In scripts such
 * as Devanagari, vowels are marks.
 */
const TWO_WORDS = /[\p{L}\p{M}]{2}\s+(?:\p{L}\s+)?\S*[\p{L}\p{M}]{2}/u;
/** Minimum letters of a script without spaces that contain several words. */
const MIN_UNSPACED_LENGTH = 4;

/**
 * True if a sentence is prose: at least two words in a row, and few characters that are typical of code.
 *
 * @example
 * isProse("The cache is never cleared."); // true
 * isProse("if (a[0]) { b = c; }"); // false
 */
export function isProse(sentence: string): boolean {
  const marks = sentence.match(CODE_MARKS)?.length ?? 0;
  if (marks * MIN_CHARACTERS_PER_MARK > sentence.length) return false;
  return TWO_WORDS.test(sentence) || (sentence.length >= MIN_UNSPACED_LENGTH && isUnspaced(sentence));
}

export interface ProseOptions {
  /** Reads headings as sentences (default: false). */
  readonly headings?: boolean;
  /** Joins lines that were wrapped, and removes inline markup. Otherwise sentences stay verbatim. */
  readonly plain?: boolean;
}

const FENCE = /^\s*(?:```|~~~)/;
/** Quotations, tables, lines of a stack trace, separator lines. */
const NO_PROSE = /^\s*(?:[>|]|at \S+ ?\(|[-=*_]{3,}\s*$)/;
/** A code block in a text of several lines, also one without an end. */
export const CODE_BLOCK = /^[ \t]{0,8}(```|~~~)[^\n]{0,200}\n[\s\S]*?(?:^[ \t]{0,8}\1[^\n]{0,8}$|$(?![\s\S]))/gm;
const HEADING = /^\s*#{1,6}\s/;
const LIST_MARK = /^\s*(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
/**
 * Minimum length of a paragraph whose next line may be a continuation although it starts with a capital letter, a
 * number or code.
 */
const MIN_WRAPPED_LENGTH = 60;

/**
 * Reads the sentences of prose in a Markdown text: without code blocks, quotations, tables and list marks. An item of a
 * list counts as a sentence.
 *
 * @example
 * readProse("## Notes\n- Renamed the table. Added a test."); // ["Renamed the table.", "Added a test."]
 */
export function readProse(markdown: string, { headings = false, plain = false }: ProseOptions = {}): string[] {
  const lines = withoutCode(markdown.split("\n"));
  return (plain ? joinWrapped(lines) : lines)
    .filter((line) => !NO_PROSE.test(line) && (headings || !HEADING.test(line)))
    .map((line) => line.replace(LIST_MARK, ""))
    .flatMap((line) => splitSentences(plain ? withoutMarkup(line) : line))
    .flatMap(({ text }) => (isProse(text) ? [text] : []));
}

/** The lines with those of code blocks emptied. */
function withoutCode(lines: readonly string[]): readonly string[] {
  let inFence = false;
  return lines.map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) inFence = !inFence;
    return isFence || inFence ? "" : line;
  });
}

/**
 * Joins the lines of a paragraph. Blank lines, list marks and punctuation at the end of a sentence separate paragraphs.
 */
function joinWrapped(lines: readonly string[]): readonly string[] {
  const paragraphs: string[][] = [];
  let last = "";
  /** Number of characters of the paragraph so far. */
  let length = 0;
  for (const line of lines) {
    const isJoined = isContinued(last, length, line);
    if (isJoined) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
    length = isJoined ? length + line.length : line.length;
    last = line;
  }
  return paragraphs.map((parts) => parts.join(" "));
}

function isContinued(before: string, length: number, line: string): boolean {
  if (before.trim() === "" || /[.!?:;|。！？]\s*$/.test(before.slice(-8)) || HEADING.test(before)) return false;
  if (/^\s*>/.test(before)) return false;
  return (
    /^[\p{Ll}(]/u.test(line) ||
    (length >= MIN_WRAPPED_LENGTH && /^[^\s#>|~*+•-]/u.test(line) && !LIST_MARK.test(line) && !FENCE.test(line))
  );
}

function withoutMarkup(line: string): string {
  return line
    .replace(/\[([^\]]{1,120})\]\([^)]{1,300}\)/g, "$1")
    .replace(/\*\*|__|`/g, "")
    .replace(/[✅✓✔❌🎉]\ufe0f?\s?/gu, "");
}
