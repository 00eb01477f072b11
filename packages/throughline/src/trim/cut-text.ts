/**
 * Head and tail of a text within so many tokens, with a note between them; the note counts too. Who knows how many tokens
 * the text has, about, says so: counting a giant takes long.
 */
export function cutText(
  text: string,
  cap: number,
  note: string,
  count: (text: string) => number,
  tokens: number = count(text),
): string {
  if (tokens <= cap) return text;
  const middle = `\n[… ${note} …]\n`;
  const perToken = text.length / tokens;
  for (let room = cap - count(middle); room > 0; room = Math.floor(room * 0.8) - 1) {
    const head = whole(text, Math.floor(room * 0.6 * perToken));
    const tail = whole(text, text.length - Math.floor(room * 0.4 * perToken));
    const cut = `${text.slice(0, head)}${middle}${text.slice(tail)}`;
    if (count(cut) <= cap) return cut;
  }
  return middle.trim();
}

/** Not between the two halves of one character. */
function whole(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
