/**
 * Returns head and tail of a text within a number of tokens, with a note between them; the note is included in the
 * count. Pass the approximate token count of the text if you know it: counting a large text is slow.
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
  for (let left = cap - count(middle); left > 0; left = Math.floor(left * 0.8) - 1) {
    const head = whole(text, Math.floor(left * 0.6 * perToken));
    const tail = whole(text, text.length - Math.floor(left * 0.4 * perToken));
    const cut = `${text.slice(0, head)}${middle}${text.slice(tail)}`;
    if (count(cut) <= cap) return cut;
  }
  return middle.trim();
}

/** Moves a position that splits a surrogate pair to its start. */
function whole(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
