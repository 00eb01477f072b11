import { LIMITS } from "./ledger.ts";

/** Longer runs without a space are sampled, because they are not typed again. */
const LONG_RUN = 4_000;
const SAMPLE = 1_500;
/** Of a longer text, only the head and the tail are read. */
const LONG_TEXT = 200_000;
const HEAD = 120_000;
const TAIL = 60_000;

const MIN = 5;

/**
 * A tag, a URL, a Windows path, an escaped line break, or a run of characters that names consist of, also
 * `revision:path`. Each alternative is linear.
 */
const TOKEN =
  /<\/?[A-Za-z][A-Za-z_-]{0,40}>|https?:\/\/[\w./:?=&%#@~+,;!$-]{3,}|\b[A-Za-z]:\\[\w.\\@~+\u00c0-\u024f-]{2,}|\\[nrt]|[A-Za-z0-9_@~./\u00c0-\u024f-]+(?::(?=[A-Za-z0-9_.-]+\/)[A-Za-z0-9_@~./-]+)?/g;
const EXTENSION = /[A-Za-z0-9_-]?\.[A-Za-z][A-Za-z0-9]{0,5}$/;
/** Times, durations, sizes, colors and file modes. */
const VALUE = /^0[xob][\da-f]+$|^\d{4}-\d\d-\d\dT|^[\d.]+[A-Za-z]{1,3}$|^[0-9a-f]{6}$/;

/** The identifiers of a text, with their counts. */
export function findIdentifiers(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const piece of readablePieces(text)) {
    for (const [token] of piece.matchAll(TOKEN)) {
      if (token.length < MIN || token.startsWith("<")) continue;
      const name = trimToken(token);
      if (isIdentifier(name)) found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  return found;
}

/**
 * True for a word that has to be typed exactly: 5 to 160 characters with a path separator, an underscore, an inner
 * capital, a file extension, or letters and digits mixed.
 */
export function isIdentifier(word: string): boolean {
  if (word.length < MIN || word.length > LIMITS.name || !/[A-Za-z\u00c0-\u024f]/.test(word)) return false;
  // Tested first: most words are plain.
  if (!/[/\\_\d]|[^A-Z][A-Z]/.test(word) && !EXTENSION.test(word)) return false;
  return !VALUE.test(word) && !isNoise(word);
}

/** Separator lines, ellipses and random data are not names. */
function isNoise(word: string): boolean {
  if (word.replace(/[^A-Za-z0-9]/g, "").length < 3 || /\.{3}|-{3}|_{3,}|\/\/\//.test(word)) return true;
  // `a-zA-Z0-9_`, `//nolint`, `_test`: a character class, a comment, a suffix of another name.
  if (/^(?:\w-\w)+_?$|^\/\/|^_[a-z]+$/.test(word)) return true;
  // `Cross-Reference`, `15-line`, `Before/after`: ordinary words.
  if (/^(?:[A-Z]?[a-z]+|\d+)(?:-[A-Z]?[a-z]+)+$|^[A-Z][a-z]+\/[A-Za-z]?[a-z]+$/.test(word)) return true;
  return word.length >= 44 && !/[_.-]/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}

function trimToken(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && token[start] === "-") start += 1;
  while (end > start && ".-/:,;~@".includes(token[end - 1] ?? "")) end -= 1;
  return token.slice(start, end);
}

/** The text without encoded data. Very long texts and runs are sampled. */
function readablePieces(text: string): string[] {
  const pieces = text.length > LONG_TEXT ? [text.slice(0, HEAD), text.slice(-TAIL)] : [text];
  return pieces.flatMap((piece) => (hasLongRun(piece) ? splitLongRuns(piece) : [piece]));
}

/** A long run covers one of the sampled positions, so the rest need not be read. */
function hasLongRun(text: string): boolean {
  for (let at = LONG_RUN - 1; at < text.length; at += LONG_RUN) {
    if (!isSpace(text.charCodeAt(at))) {
      let start = at;
      while (start > 0 && at - start < LONG_RUN && !isSpace(text.charCodeAt(start - 1))) start -= 1;
      let end = at;
      while (end < text.length && end - start <= LONG_RUN && !isSpace(text.charCodeAt(end))) end += 1;
      if (end - start > LONG_RUN) return true;
    }
  }
  return false;
}

function splitLongRuns(text: string): string[] {
  return text.split(/\s+/).flatMap((run) => {
    if (run.length <= LONG_RUN) return [run];
    // One long run of base64 or hex characters is data. Anything else, such as minified JSON, is sampled.
    const head = run.slice(0, SAMPLE);
    return /^[A-Za-z0-9+/=_-]+$/.test(head) ? [] : [head, run.slice(-SAMPLE)];
  });
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0;
}
