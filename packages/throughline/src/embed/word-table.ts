import { InvalidOptionError } from "../errors/input-errors.ts";
import { EmbedderError } from "../errors/model-errors.ts";
import { type ByteSource, byteSource, openPackagedFile } from "../internal/packaged-file.ts";
import { messageOf } from "../internal/text.ts";

// File format, all numbers little-endian: `TLWV`, version (u16), dimensions (u16), words (u32), bytes of the word list
// (u32), scale (f32), common direction (f32 each), rarity by row (u8: -ln of the word's share of all text, in tenths),
// rows (i8 each, times the scale), the most frequent word first; then, for the words in alphabetical order, their rows
// (u16 each), the places of every 16th in the list (u32 each), and the list (one word of the letters a–z per line).
const VERSION = 2;
const HEADER = 20;
const GROUP = 16;
const NEWLINE = 10;
/** Numbers per row. */
export const DIMENSIONS = 100;

export interface WordTable {
  /** Factor for the numbers of a row. */
  readonly scale: number;
  /** Direction common to nearly all texts. Subtracted from each text, so that unrelated texts are not similar. */
  readonly common: Float32Array;
  /** The row of a word. */
  find(word: string): number | undefined;
  values(row: number): Int8Array;
  /** -ln of the word's share of all text, by row. */
  rarity(row: number): number;
}

/** Parses the file. Rows are read when they are first used. */
function readWordTable(source: ByteSource): WordTable {
  const header = view(source, 0, Math.min(HEADER, source.length));
  const isOurs = source.length >= HEADER && header.getUint32(0) === 0x544c5756;
  if (!isOurs || header.getUint16(4, true) !== VERSION || header.getUint16(6, true) !== DIMENSIONS) {
    throw refuse("another format or version", "the file of this package version");
  }
  const count = header.getUint32(8, true);
  const groups = Math.ceil(count / GROUP);
  const rarities = HEADER + 4 * DIMENSIONS;
  const rows = rarities + count;
  const order = rows + count * DIMENSIONS;
  const places = order + 2 * count;
  const list = places + 4 * groups;
  const end = list + header.getUint32(12, true);
  if (source.length !== end) throw refuse(`${source.length} bytes`, `${end} bytes`);
  const common = view(source, HEADER, rarities);
  const rarity = source.read(rarities, rows);
  // In one piece, which is faster to decompress.
  source.read(order, end);
  return {
    scale: header.getFloat32(16, true),
    common: Float32Array.from({ length: DIMENSIONS }, (_, index) => common.getFloat32(4 * index, true)),
    find: finder({ order: view(source, order, places), places: view(source, places, list), groups }, () =>
      new TextDecoder().decode(source.read(list, end)),
    ),
    values: (row) => {
      const { buffer, byteOffset } = source.read(rows + row * DIMENSIONS, rows + (row + 1) * DIMENSIONS);
      return new Int8Array(buffer, byteOffset, DIMENSIONS);
    },
    rarity: (row) => (rarity[row] ?? 0) / 10,
  };
}

/** Parses a file that did not come with the package: its words are counted too. */
export function checkWordTable(bytes: Uint8Array): WordTable {
  const table = readWordTable(byteSource(bytes));
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const count = header.getUint32(8, true);
  const list = bytes.subarray(bytes.length - header.getUint32(12, true));
  const words = list.reduce((sum, byte) => (byte === NEWLINE ? sum + 1 : sum), 1);
  if (words !== count) throw refuse(`${words} words`, `${count} words`);
  return table;
}

interface SortedWords {
  readonly order: DataView;
  readonly places: DataView;
  readonly groups: number;
}

/** A function that finds the row of a word by binary search. A map of all words would take longer to build. */
function finder({ order, places, groups }: SortedWords, readList: () => string): WordTable["find"] {
  let list: string | undefined;
  return (word) => {
    list ??= readList();
    const place = (group: number): number => (group < groups ? places.getUint32(4 * group, true) : list?.length) ?? 0;
    let [low, high] = [0, groups];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (isUpTo(list, place(middle), word)) low = middle;
      else high = middle;
    }
    const end = place(low + 1);
    for (let [start, at] = [place(low), 0]; start < end; at += 1) {
      const line = list.indexOf("\n", start);
      const next = line < 0 ? list.length : line;
      if (next - start === word.length && list.startsWith(word, start))
        return order.getUint16(2 * (GROUP * low + at), true);
      start = next + 1;
    }
    return undefined;
  };
}

/** True if the line at a place of a list is a word, or sorts before it. The line is not copied. */
function isUpTo(list: string, start: number, word: string): boolean {
  for (let at = 0; ; at += 1) {
    const letter = list.charCodeAt(start + at);
    if (letter === NEWLINE || Number.isNaN(letter)) return true;
    if (at === word.length) return false;
    const other = word.charCodeAt(at);
    if (letter !== other) return letter < other;
  }
}

function view(source: ByteSource, start: number, end: number): DataView {
  const bytes = source.read(start, end);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function refuse(what: string, wanted: string): InvalidOptionError {
  return new InvalidOptionError("word-vectors.bin", what, wanted);
}

/** Milliseconds before the word vectors are requested again after a failure. */
const RETRY_DELAY = 60_000;

let loading: Promise<WordTable> | undefined;
let failure: { readonly error: EmbedderError; readonly at: number } | undefined;

/** Loads the packaged table on first use, once per process. After a failure it is retried at most once a minute. */
export function loadWordTable(): Promise<WordTable> {
  if (failure !== undefined && Date.now() - failure.at < RETRY_DELAY) return Promise.reject(failure.error);
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    const error = new EmbedderError("missing-words", `Could not read the word vectors: ${messageOf(cause)}`, { cause });
    failure = { error, at: Date.now() };
    throw error;
  });
  return loading;
}

async function load(): Promise<WordTable> {
  // A literal, so that bundlers for browsers find the file and include it.
  const url = new URL("./word-vectors.bin", (import.meta as { readonly url: string }).url);
  return readWordTable(await openPackagedFile(url));
}
