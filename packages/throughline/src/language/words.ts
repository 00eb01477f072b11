/** Maximum number of combining marks on one letter, more than any script needs (UAX 15, stream-safe text format). */
export const MAX_MARKS = 30;
/** Half-width Katakana voicing marks are letters, but become combining marks when normalized. */
const EXCESS_MARKS = new RegExp(`([\\p{M}\uff9e\uff9f]{${MAX_MARKS}})[\\p{M}\uff9e\uff9f]+`, "gu");
/** Letters, marks and digits. An apostrophe inside a word does not end it. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu;
/** Text that normalization does not change. */
const IS_ASCII = /^[\0-\x7f]*$/;
/** The accents of Latin, Greek and Cyrillic only, because in other scripts marks are vowels. */
const ACCENTS = /[\u0300-\u036f]+/g;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * Cuts runs of combining marks to a length that can be normalized in linear time.
 *
 * @example
 * boundMarks("e\u0301"); // unchanged
 */
export function boundMarks(text: string): string {
  return text.replace(EXCESS_MARKS, "$1");
}

/**
 * Maximum letters of an ending after an apostrophe: "it's", "we'll". More letters are a word: "l'équipe", "O'Brien".
 */
const MAX_ENDING = 2;

/**
 * The words of a text in any script, in order: lower case, without accents, without the ending after an apostrophe, and
 * without the article before one.
 *
 * @example
 * readWords("Zoë's café opens at 9."); // ["zoe", "cafe", "opens", "at", "9"]
 * readWords("l'équipe"); // ["equipe"]
 */
export function readWords(text: string): string[] {
  const plain = IS_ASCII.test(text) ? text : boundMarks(text).normalize("NFKD").replace(ACCENTS, "").normalize("NFC");
  return (plain.toLowerCase().match(WORD) ?? []).map(withoutApostrophe);
}

function withoutApostrophe(word: string): string {
  if (!/['’]/.test(word)) return word;
  const parts = word.split(/['’]/);
  return parts.findLast((part, at) => at === 0 || part.length > MAX_ENDING) ?? word;
}

/**
 * True if a text contains letters of a script without spaces between words.
 *
 * @example
 * isUnspaced("東京"); // true
 */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** Letters and digits of a name that is written as one word, and the maximum length, above which it is encoded data. */
const NAME = /[\p{L}\p{N}]+/gu;
const MAX_NAME_LENGTH = 64;
const MIN_PART_LENGTH = 3;
/** The start of a part of such a name. */
const PART_START = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * The parts of names with capitals inside, of three letters or more.
 *
 * @example
 * nameParts("We lint with ESLint."); // ["Lint"]
 * nameParts("parseConfigFile"); // ["parse", "Config", "File"]
 */
export function nameParts(text: string): string[] {
  return (text.match(NAME) ?? []).flatMap((name) => {
    const parts = name.length > MAX_NAME_LENGTH ? [] : name.split(PART_START);
    return parts.length < 2 ? [] : parts.filter((part) => part.length >= MIN_PART_LENGTH);
  });
}

/**
 * Splits a list of words at white space.
 *
 * @example
 * wordList("monday tuesday"); // ["monday", "tuesday"]
 */
export function wordList(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/**
 * The same as a set.
 *
 * @example
 * wordSet("yes no").has("yes"); // true
 */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(wordList(list));
}

/**
 * The source of a pattern that matches any phrase of a list. Phrases are separated by a comma and a space, and may be
 * patterns.
 *
 * @example
 * new RegExp(anyPhrase("no longer, any ?more")).test("not anymore"); // true
 */
export function anyPhrase(list: string): string {
  return `(?:${list.trim().replace(/\s+/g, " ").split(", ").join("|")})`;
}

/** Phrases for one idea in several languages. A phrase may be a pattern. Accents and case are ignored. */
export interface Phrases {
  /** Whole words. */
  readonly words: string;
  /** Parts of words, for scripts without spaces and for languages that express the idea by an inflection. */
  readonly pieces?: string;
}

/** Lower case without accents, with straight apostrophes: the form that `phrasePattern` matches. */
export function foldText(text: string): string {
  return withoutAccents(boundMarks(text)).toLowerCase().replaceAll("’", "'");
}

export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").normalize("NFC");
}

/** Tests whether a folded text matches. */
interface PhrasePattern {
  test(text: string): boolean;
}

/**
 * A pattern that matches any of the phrases in a folded text. `start` is prepended. It is compiled when it is first
 * used.
 */
export function phrasePattern({ words, pieces }: Phrases, start = ""): PhrasePattern {
  let compiled: RegExp | undefined;
  const compile = () => {
    const whole = String.raw`(?<![\p{L}\p{M}\p{N}_])${anyPhrase(words)}(?![\p{L}\p{M}\p{N}_])`;
    const any = pieces === undefined ? whole : `${whole}|${anyPhrase(pieces)}`;
    return new RegExp(withoutAccents(`${start}(?:${any})`), "u");
  };
  return {
    test(text) {
      compiled ??= compile();
      return compiled.test(text);
    },
  };
}
