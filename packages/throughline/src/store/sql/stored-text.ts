// Databases keep text as UTF-8, some of them without NUL. What that cannot hold is written as \u0000, and so is a
// backslash where it would be read as the beginning of one: texts that differ stay apart.
const UNSAFE = /[\0\p{Surrogate}]|\\(?=u[0-9a-f]{4})/u;
const ALL_UNSAFE = new RegExp(UNSAFE, "gu");
const ESCAPED = /\\u([0-9a-f]{4})/g;

/** An id or a text as the database keeps it. */
export function toStoredText(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, escapeUnit) : text;
}

/** The same for a text that may be missing. */
export function toOptionalText(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}

/** The text that `toStoredText` was given. */
export function fromStoredText(stored: string): string {
  if (!stored.includes("\\u")) return stored;
  return stored.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
