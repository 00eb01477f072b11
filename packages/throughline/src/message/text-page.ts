/** Maximum characters per page: the page has to fit into a window. */
const PIECE = 6_000;

/** One page of a long text. */
interface Piece {
  readonly text: string;
  readonly from: number;
  /** Start of the next page, if there is one. */
  readonly next?: number;
  /** Length of the whole text in characters. */
  readonly characters: number;
}

/** Returns the page of a text that starts at a character position. */
export function pageOf(text: string, from: number): Piece {
  const start = wholeCharacter(text, Math.min(Math.max(0, Math.floor(from)), text.length));
  const end = wholeCharacter(text, Math.min(start + PIECE, text.length));
  const piece = { text: text.slice(start, end), from: start, characters: text.length };
  return end < text.length ? { ...piece, next: end } : piece;
}

/** Moves a position that splits a surrogate pair to its start. */
function wholeCharacter(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
