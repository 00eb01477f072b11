/** Terminal escape sequences, control characters, lone surrogates and invisible characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
const ESCAPES = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
/** A letter of the scripts from Arabic to Burmese, some of which need joiners between letters. */
const JOINED = String.raw`(?=[\u0620-\u109f])[\p{L}\p{M}]`;
/** Joiners and variation selectors that belong to the spelling of a word or emoji. */
const WANTED = [
  String.raw`[\n\r\t]`,
  String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f]`,
  String.raw`\ufe0f(?=\u20e3)`,
  String.raw`\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?\u200d(?=\p{Extended_Pictographic})`,
  String.raw`${JOINED}[\u200c\u200d](?=${JOINED})`,
].join("|");
/** Made when first needed: it takes a millisecond to parse, and few texts need it. */
let invisible: RegExp | undefined;
/** Other characters than line breaks, tabs and the visible ones of ASCII. */
const MAY_BE_INVISIBLE = /[^\n\r\t -~]/;
const HEADING = /(^|\n)([^\S\n]{0,8}>?[^\S\n]{0,8})(#{1,6}\s)/g;

/** Removes characters that are invisible to people but not to a model. */
export function stripInvisible(text: string): string {
  if (!MAY_BE_INVISIBLE.test(text)) return text;
  invisible ??= new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}](?<!${WANTED})`, "gu");
  return text.replace(ESCAPES, "").replace(invisible, "");
}

/**
 * Makes text fit for one line of the ledger: no line breaks, no invisible characters, headings escaped, cut to head and
 * tail if longer than `max` characters.
 */
export function oneLine(text: string, max: number): string {
  const bounded = text.length > 4 * max + 400 ? `${text.slice(0, 3 * max + 200)}\n…\n${text.slice(-max - 200)}` : text;
  const line = escapeHeadings(escapeHeadings(stripInvisible(bounded)).replace(/\s+/g, " ").trim());
  // Cutting may leave a dangling joiner.
  return line.length <= max ? line : stripInvisible(cutMiddle(line, max));
}

/** True if `oneLine` would not change the text, except for its length. */
export function isOneLine(text: string): boolean {
  return !/[\r\n\u2028\u2029]/.test(text) && stripInvisible(text) === text && escapeHeadings(text) === text;
}

/**
 * Keeps three quarters of the length as head and a quarter as tail, with a note between them, without splitting
 * characters.
 */
export function cutMiddle(text: string, max: number, note = " … "): string {
  if (text.length <= max) return text;
  const maxLength = max - note.length;
  if (maxLength < 9) return text.slice(0, Math.max(0, max));
  const head = Math.ceil(maxLength * 0.75);
  return `${whole(text.slice(0, head))}${note}${whole(text.slice(text.length - (maxLength - head)))}`;
}

/** Escapes headings at the start of a line with a backslash. */
export function escapeHeadings(text: string): string {
  return text.replace(HEADING, "$1$2\\$3");
}

function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "").trim();
}

/** Text of a thrown value: the message of an error, otherwise the value as a string. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
