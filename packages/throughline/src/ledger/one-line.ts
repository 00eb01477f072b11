/** Escape sequences of terminals, control characters, and characters that nobody sees. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const ESCAPES = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
const INVISIBLE = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const HEADING = /(^|\n)([ \t]{0,8}>?[ \t]{0,8})(#{1,6}[ \t])/g;

/** Takes out what a reader cannot see but a model can. */
function stripInvisible(text: string): string {
  return text.replace(ESCAPES, "").replace(INVISIBLE, "");
}

/**
 * Text as it can stand inside a line of the ledger: no breaks, nothing invisible, headings escaped, cut to head and
 * tail where it is longer than `max` characters.
 */
export function oneLine(text: string, max: number): string {
  const bounded = text.length > 4 * max + 400 ? `${text.slice(0, 3 * max + 200)}\n…\n${text.slice(-max - 200)}` : text;
  const clean = stripInvisible(bounded).replace(HEADING, "$1$2\\$3").replace(/\s+/g, " ").trim();
  return cutMiddle(clean, max);
}

/** Three quarters of the head and a quarter of the tail, whole characters only. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 12) return text.slice(0, Math.max(0, max));
  const head = Math.ceil((max - 3) * 0.75);
  const tail = max - 3 - head;
  return `${whole(text.slice(0, head))} … ${whole(text.slice(text.length - tail))}`;
}

function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "").trim();
}
