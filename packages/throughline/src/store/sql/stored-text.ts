// Databases store text as UTF-8, some without NUL. Other characters are escaped as \u0000, and so is a backslash that
// would look like an escape: different texts stay different.
const UNSAFE = /[\0\p{Surrogate}]|\\(?=u[0-9a-f]{4})/u;
const ALL_UNSAFE = new RegExp(UNSAFE, "gu");
const ESCAPED = /\\u([0-9a-f]{4})/g;

/** Escapes an id or text for the database. */
export function toStoredText(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, escapeUnit) : text;
}

/** Same as `toStoredText`, for an optional text. */
export function toOptionalText(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}

/** Restores the text of `toStoredText`. */
export function fromStoredText(stored: string): string {
  if (!stored.includes("\\u")) return stored;
  return stored.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
