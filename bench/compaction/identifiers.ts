/**
 * An identifier as METRICS.md defines it. Written only for the measurement: the product extracts with its own rules.
 */
const TOKEN = /(?:[A-Za-z][\w+.-]*:\/\/)?[\w./@~+-]+/g;
const MIN_LENGTH = 5;
const MAX_LENGTH = 160;

const SIGNS: readonly RegExp[] = [
  /[^/]\/[^/]|\/\w/, // a path separator
  /_/,
  /[^A-Z][A-Z]|[A-Z]{2}[a-z]/, // an inner capital; a word in capitals has none
  /\w\.[a-z][a-z0-9]{0,4}$/, // a file extension
  /\d.*[A-Za-z]|[A-Za-z].*\d/, // letters and digits mixed
];

/** The identifiers of a text, each once. */
export function findIdentifiers(text: string): Set<string> {
  return new Set(listIdentifiers(text));
}

/** Every occurrence of an identifier. A path counts as a whole; surrounding punctuation does not. */
export function* listIdentifiers(text: string): Generator<string> {
  for (const [token] of text.matchAll(TOKEN)) {
    const word = token.replace(/^[-+@]+/, "").replace(/[-+@.]+$/, "");
    if (isIdentifier(word)) yield word;
  }
}

function isIdentifier(word: string): boolean {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/[A-Za-z]/.test(word)) return false;
  return SIGNS.some((sign) => sign.test(word));
}
