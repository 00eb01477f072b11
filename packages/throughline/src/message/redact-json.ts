/** A part of a text, `end` exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** True for a JSON object or list. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces secrets in JSON text. The result is JSON of the same length: a character and its escape are replaced
 * together, quotes around strings stay, and a number becomes a string of stars.
 *
 * @param text valid JSON
 * @param secrets in the order of the text, without overlaps
 */
export function redactJson(text: string, secrets: readonly Span[]): string {
  const pieces: string[] = [];
  let copied = 0;
  let next = 0;
  for (const { start, end } of redactableUnits(text)) {
    while ((secrets[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const secret = secrets[next];
    if (secret === undefined) break;
    if (secret.start >= end) continue;
    const isNumber = end - start > 1 && text[start] !== "\\";
    pieces.push(text.slice(copied, start), isNumber ? `"${"*".repeat(end - start - 2)}"` : "*".repeat(end - start));
    copied = end;
  }
  return pieces.join("") + text.slice(copied);
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The characters of all strings, each with its escape, and the numbers. */
function* redactableUnits(text: string): Generator<Span> {
  let isInString = false;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + 1;
    if (text[start] === '"') isInString = !isInString;
    else if (isInString) {
      if (text[start] === "\\") end += text[start + 1] === "u" ? 5 : 1;
      yield { start, end };
    } else {
      NUMBER.lastIndex = start;
      if (!NUMBER.test(text)) continue;
      end = NUMBER.lastIndex;
      yield { start, end };
    }
  }
}
