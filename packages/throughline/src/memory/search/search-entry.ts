import { InvalidOptionError } from "../../errors/input-errors.ts";
import { dateWords } from "../../language/dates.ts";
import { readTerms } from "../../language/terms.ts";
import { nameParts } from "../../language/words.ts";
import type { MemoryKind } from "../../ports/memory.ts";

/** A memory or a turn, as input of the search index. */
export interface Searchable {
  readonly id: string;
  readonly type: "memory" | "turn";
  readonly kind?: MemoryKind;
  readonly text: string;
  /** Additional search terms: aliases, key, value, and the facts that were extracted from a turn. */
  readonly also?: readonly string[];
  readonly sessionId?: string;
  readonly position?: number;
  readonly role?: string;
  readonly speaker?: string;
  /** Time of the utterance, in milliseconds since 1970. */
  readonly at?: number;
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly archivedAt?: number;
  readonly projectId?: string;
  /** True if it is marked as outdated, completely or in parts. */
  readonly isMarked?: boolean;
}

/** The stems of a text as hashes, with their counts. */
export interface CountedTerms {
  readonly hashes: Uint32Array;
  readonly counts: Uint8Array;
  /** Total number of occurrences. */
  readonly length: number;
}

/** The unpacked search entry of a memory or a turn. */
export interface UnpackedEntry {
  readonly type: "memory" | "turn";
  readonly kind: MemoryKind | undefined;
  /** True if the text ends in a question. The next turn may answer it. */
  readonly asks: boolean;
  /** True if the speaker states their own past actions, or that they never did something. */
  readonly tells: boolean;
  readonly isMarked: boolean;
  readonly position: number | undefined;
  readonly at: number | undefined;
  readonly validFrom: number | undefined;
  readonly validTo: number | undefined;
  readonly archivedAt: number | undefined;
  readonly sessionId: string | undefined;
  readonly role: string | undefined;
  readonly speaker: string | undefined;
  readonly projectId: string | undefined;
  /** The words of the text, its speaker and its date. */
  readonly own: CountedTerms;
  readonly also: CountedTerms;
}

const VERSION = 1;
/** Bits of the flags: type in the lowest, then "ends in a question", then the kind. */
const TURN = 1;
const ASKS = 2;
const TELLS = 32;
const MARKED = 64;
const KINDS: readonly (MemoryKind | undefined)[] = [undefined, "fact", "episode", "pattern", "workflow"];
const MAX_TERMS = 0xffff;
const MAX_COUNT = 0xff;

const NO_TERMS: CountedTerms = { hashes: new Uint32Array(), counts: new Uint8Array(), length: 0 };

/** Packs the search entry of a memory or a turn. The text itself is not included. */
export function packEntry(searchable: Searchable): Uint8Array {
  const { type, kind, text, also = [], speaker, at, isMarked } = searchable;
  const writer = new ByteWriter();
  writer.byte(VERSION);
  const flags = (type === "turn" ? TURN : 0) | (asks(text) ? ASKS : 0) | (tells(text) ? TELLS : 0);
  writer.byte(flags | (KINDS.indexOf(kind) << 2) | (isMarked ? MARKED : 0));
  const { position, validFrom, validTo, archivedAt } = searchable;
  writer.numbers([position, at, validFrom, validTo, archivedAt]);
  for (const name of [searchable.sessionId, searchable.role, speaker, searchable.projectId]) writer.text(name);
  writeTerms(writer, [text, speaker ?? "", at === undefined ? "" : dateWords(at)]);
  writeTerms(writer, [...also, ...new Set(nameParts(text))]);
  return writer.bytes();
}

/** A packed entry with a new end of validity and a new mark. */
export function markEntry(
  bytes: Uint8Array,
  { validTo, isMarked }: Required<Pick<Searchable, "isMarked">> & Pick<Searchable, "validTo">,
): Uint8Array {
  const reader = new ByteReader(bytes);
  reader.expect(VERSION);
  const flags = reader.byte() & ~MARKED;
  const [position, at, validFrom, , archivedAt] = reader.numbers(5);
  const writer = new ByteWriter();
  writer.byte(VERSION);
  writer.byte(flags | (isMarked ? MARKED : 0));
  writer.numbers([position, at, validFrom, validTo, archivedAt]);
  writer.append(reader.rest());
  return writer.bytes();
}

/** Reads the output of {@link packEntry}. */
export function unpackEntry(bytes: Uint8Array): UnpackedEntry {
  const reader = new ByteReader(bytes);
  reader.expect(VERSION);
  const flags = reader.byte();
  const [position, at, validFrom, validTo, archivedAt] = reader.numbers(5);
  return {
    type: (flags & TURN) !== 0 ? "turn" : "memory",
    asks: (flags & ASKS) !== 0,
    tells: (flags & TELLS) !== 0,
    isMarked: (flags & MARKED) !== 0,
    kind: KINDS[(flags >> 2) & 7],
    position,
    at,
    validFrom,
    validTo,
    archivedAt,
    sessionId: reader.text(),
    role: reader.text(),
    speaker: reader.text(),
    projectId: reader.text(),
    own: readCounted(reader),
    also: readCounted(reader),
  };
}

function writeTerms(writer: ByteWriter, texts: readonly string[]): void {
  const counted = new Map<number, number>();
  for (const text of texts) {
    for (const { hash } of readTerms(text)) {
      const before = counted.get(hash) ?? 0;
      if (before > 0 || counted.size < MAX_TERMS) counted.set(hash, Math.min(MAX_COUNT, before + 1));
    }
  }
  writer.short(counted.size);
  writer.words([...counted.keys()]);
  writer.append(Uint8Array.from(counted.values()));
}

function readCounted(reader: ByteReader): CountedTerms {
  const size = reader.short();
  if (size === 0) return NO_TERMS;
  const hashes = reader.words(size);
  const counts = reader.take(size);
  let length = 0;
  for (let at = 0; at < size; at += 1) length += counts[at] as number;
  return { hashes, counts, length };
}

/** Past actions in the first person: "I've finished", "I never tried", "we met". */
const TOLD =
  /\b(?:i|we)(?:['’](?:ve|d)| have| had| did| never| just| recently| finally| already)?(?: (?:never|just|recently|finally|already|only|also|been))? (?:\w{2,}ed|been|built|came|did|drew|felt|found|gave|got|had|left|made|met|put|ran|read|said|saw|sent|set|spent|started|took|told|went|won|wrote)\b|\bi['’]ve\b|\bnever\b/i;

function tells(text: string): boolean {
  return TOLD.test(text);
}

/** True if a text ends in a question. Brackets after it (the caption of a picture) are ignored. */
function asks(text: string): boolean {
  return /\?["'”’)]*(?:\s*\[[^\]]*\])?\s*$/.test(text.slice(-1_000));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes values to a byte array, numbers in little-endian order. */
class ByteWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  byte(value: number): void {
    const at = this.#claim(1);
    this.#bytes[at] = value;
  }

  short(value: number): void {
    const at = this.#claim(2);
    this.#view.setUint16(at, value, true);
  }

  /** Up to eight optional numbers. One byte is the mask of those that are present. */
  numbers(values: readonly (number | undefined)[]): void {
    this.byte(values.reduce<number>((mask, value, at) => (value === undefined ? mask : mask | (1 << at)), 0));
    for (const value of values) {
      if (value === undefined) continue;
      const at = this.#claim(8);
      this.#view.setFloat64(at, value, true);
    }
  }

  /** An optional text. */
  text(value: string | undefined): void {
    const bytes = value === undefined ? undefined : encoder.encode(value).subarray(0, 0xfffe);
    this.short(bytes === undefined ? 0 : bytes.length + 1);
    if (bytes !== undefined) this.append(bytes);
  }

  words(values: readonly number[]): void {
    const start = this.#claim(4 * values.length);
    values.forEach((value, at) => {
      this.#view.setUint32(start + 4 * at, value, true);
    });
  }

  append(bytes: Uint8Array): void {
    const at = this.#claim(bytes.length);
    this.#bytes.set(bytes, at);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#end);
  }

  #claim(length: number): number {
    const at = this.#end;
    this.#end += length;
    if (this.#end > this.#bytes.length) {
      const wider = new Uint8Array(2 * this.#end);
      wider.set(this.#bytes);
      this.#bytes = wider;
      this.#view = new DataView(wider.buffer);
    }
    return at;
  }
}

/** Reads the output of a {@link ByteWriter}. */
class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws InvalidOptionError if the first byte is not this version. */
  expect(version: number): void {
    const found = this.#bytes[0];
    if (found !== version) {
      throw new InvalidOptionError("search entry version", found, `${version}. Reindex the space`);
    }
    this.#at = 1;
  }

  byte(): number {
    return this.#bytes[this.#claim(1)] as number;
  }

  short(): number {
    return this.#view.getUint16(this.#claim(2), true);
  }

  numbers(count: number): (number | undefined)[] {
    const mask = this.byte();
    const values: (number | undefined)[] = [];
    for (let at = 0; at < count; at += 1) {
      values.push((mask & (1 << at)) === 0 ? undefined : this.#view.getFloat64(this.#claim(8), true));
    }
    return values;
  }

  text(): string | undefined {
    const length = this.short();
    if (length === 0) return undefined;
    const at = this.#claim(length - 1);
    return decoder.decode(this.#bytes.subarray(at, at + length - 1));
  }

  words(count: number): Uint32Array {
    const start = this.#claim(4 * count);
    const words = new Uint32Array(count);
    for (let at = 0; at < count; at += 1) words[at] = this.#view.getUint32(start + 4 * at, true);
    return words;
  }

  /** The next bytes, not copied. */
  take(count: number): Uint8Array {
    const at = this.#claim(count);
    return this.#bytes.subarray(at, at + count);
  }

  /** All remaining bytes, not copied. */
  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }

  #claim(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length)
      throw new InvalidOptionError("search entry", "truncated", "a complete entry; reindex the space");
    return at;
  }
}
