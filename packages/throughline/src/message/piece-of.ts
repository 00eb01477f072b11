/** Characters that are given at a time: what is looked up has to fit into a window. */
const PIECE = 6_000;

/** A part of a long text. */
interface Piece {
  readonly text: string;
  readonly from: number;
  /** Where the rest begins, where there is one. */
  readonly next?: number;
  /** Characters of all of it. */
  readonly characters: number;
}

/** What comes from a character on. */
export function pieceOf(text: string, from: number): Piece {
  const start = wholeCharacter(text, Math.min(Math.max(0, Math.floor(from)), text.length));
  const end = wholeCharacter(text, Math.min(start + PIECE, text.length));
  const piece = { text: text.slice(start, end), from: start, characters: text.length };
  return end < text.length ? { ...piece, next: end } : piece;
}

/** Not between the two halves of one character. */
function wholeCharacter(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
