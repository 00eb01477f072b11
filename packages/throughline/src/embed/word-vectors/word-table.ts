import { InvalidOptionError } from "../../errors/invalid-option-error.ts";

// File format, all numbers little-endian: `TLWV`, version (u16), dimensions (u16), words (u32), bytes of the word list
// (u32), scale (f32), common direction (f32 each), rarity of each word (u8: -ln of its share of all text, in tenths),
// rows (i8 each, times the scale), words in UTF-8, one per line, most frequent first.
const VERSION = 1;
const HEADER = 20;
/** Numbers per row. */
export const DIMENSIONS = 100;

export interface WordTable {
  /** Factor for the numbers of a row. */
  readonly scale: number;
  /** Direction common to nearly all texts. Subtracted from each text, so that unrelated texts are not similar. */
  readonly common: Float32Array;
  /** Word → row. */
  readonly rows: ReadonlyMap<string, number>;
  readonly values: Int8Array;
  /** -ln of the word's share of all text, by row. */
  rarity(row: number): number;
}

/** Parses the file. `bytes` are not copied. */
export function readWordTable(bytes: Uint8Array): WordTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isOurs = bytes.byteLength >= HEADER && text(bytes.subarray(0, 4)) === "TLWV";
  if (!isOurs || view.getUint16(4, true) !== VERSION || view.getUint16(6, true) !== DIMENSIONS) {
    throw refuse("another format or version", "the file of this package version");
  }
  const count = view.getUint32(8, true);
  const rarities = HEADER + 4 * DIMENSIONS;
  const start = rarities + count;
  const list = start + count * DIMENSIONS;
  const end = list + view.getUint32(12, true);
  if (bytes.byteLength !== end) throw refuse(`${bytes.byteLength} bytes`, `${end} bytes`);
  const rows = new Map(
    text(bytes.subarray(list))
      .split("\n")
      .map((word, row) => [word, row]),
  );
  if (rows.size !== count) throw refuse(`${rows.size} words`, `${count} words`);
  return {
    scale: view.getFloat32(16, true),
    common: Float32Array.from({ length: DIMENSIONS }, (_, index) => view.getFloat32(HEADER + 4 * index, true)),
    rows,
    values: new Int8Array(bytes.buffer, bytes.byteOffset + start, count * DIMENSIONS),
    rarity: (row) => (bytes[rarities + row] ?? 0) / 10,
  };
}

function refuse(what: string, wanted: string): InvalidOptionError {
  return new InvalidOptionError("word-vectors.bin", what, wanted);
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
