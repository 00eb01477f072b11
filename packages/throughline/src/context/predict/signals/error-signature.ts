const MAX_ERROR_LENGTH = 8_000;
const MAX_LINE_LENGTH = 1_000;
const MAX_SIGNATURE_LENGTH = 160;
const SPECIFIC = /error|exception|panic|fatal|failed|failure|cannot|denied|undefined|not found/i;
/** Variable parts of an error with their placeholders. The order matters, because a path can contain numbers. */
const CHANGING: readonly (readonly [pattern: RegExp, stands: string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are made of them.
  [/\u001b\[[\d;]*[A-Za-z]/g, ""],
  [/\b[a-z][a-z+.-]{1,12}:\/\/[^\s"'`)<>]+/gi, "<url>"],
  [/(["'`])(?:(?!\1)[^\n\\]|\\.){0,400}\1/g, "<value>"],
  [/(?<![\w.@~+\\/-])(?:[A-Za-z]:)?(?:[\\/]|[\w.@~+-]+[\\/])[\w.@~+\\/-]*[\w@~+-]/g, "<path>"],
  [/(?<![\w-])[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|cs|cpp|[ch]|json|ya?ml|toml|md|sql|sh)\b/gi, "<path>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, "<id>"],
  [/\b0x[0-9a-f]+\b/gi, "<number>"],
  [/\d+(?:[.,:]\d+)*/g, "<number>"],
  [/\s+/g, " "],
];

/**
 * Signature of an error: its main line with placeholders for variable parts. Errors with the same cause have the same
 * signature. Undefined for an empty text.
 *
 * @example
 * errorSignature("TypeError: Cannot read 'name' of undefined\n  at a.ts:3"); // "typeerror: cannot read <value> of undefined"
 */
export function errorSignature(error: string): string | undefined {
  const lines = error
    .slice(0, MAX_ERROR_LENGTH)
    .split("\n")
    .map((line) => line.slice(0, MAX_LINE_LENGTH).trim())
    .filter((line) => line !== "");
  const specific = lines.find((line) => SPECIFIC.test(line)) ?? lines[0];
  if (specific === undefined) return undefined;
  const plain = CHANGING.reduce((text, [pattern, stands]) => text.replace(pattern, stands), specific);
  return plain.trim().toLowerCase().slice(0, MAX_SIGNATURE_LENGTH) || undefined;
}
