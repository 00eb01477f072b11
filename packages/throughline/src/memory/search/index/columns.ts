import { InvalidOptionError } from "../../../errors/input-errors.ts";
import type { Numbers } from "./resize-array.ts";
import type { SharedMemory } from "./scan-kernel.ts";

/** Typed arrays of a packed index. */
export type Column = Uint8Array | Int8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Takes the columns of an index, one after the other. */
export interface ColumnSink {
  add(column: Column): void;
  /** Adds an array and the bytes of its elements. */
  addNumbers(column: Numbers): void;
  addTexts(texts: readonly string[]): void;
}

/** A sink whose columns go to other threads of this process. */
export interface SharedSink extends ColumnSink {
  addMemory(memory: SharedMemory | undefined): void;
}

/** Returns the columns of a {@link ColumnSink}, in the same order. */
export interface ColumnSource {
  next<T extends Column>(Kind: ColumnKind<T>): T;
  /** Numbers that {@link ColumnSink.addNumbers} has added. */
  numbers(): Numbers;
  texts(): readonly string[];
}

export interface SharedSource extends ColumnSource {
  memory(): SharedMemory | undefined;
}

interface ColumnKind<T> {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** Arrays start at multiples of this many bytes, so that they can be used in place. */
const ALIGNMENT = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Packs typed arrays into bytes, one after the other: the length of each in bytes, then its content. */
export class ColumnWriter implements ColumnSink {
  readonly #columns: Column[] = [];

  add(column: Column): void {
    this.#columns.push(column);
  }

  addNumbers(column: Numbers): void {
    this.add(Uint8Array.of(column.BYTES_PER_ELEMENT));
    this.add(column);
  }

  addTexts(texts: readonly string[]): void {
    this.add(encoder.encode(JSON.stringify(texts)));
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const size = this.#columns.reduce((sum, { byteLength }) => sum + ALIGNMENT + aligned(byteLength), 0);
    const bytes = new Uint8Array(size);
    const lengths = new DataView(bytes.buffer);
    let at = 0;
    for (const { buffer, byteOffset, byteLength } of this.#columns) {
      lengths.setFloat64(at, byteLength, true);
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at + ALIGNMENT);
      at += ALIGNMENT + aligned(byteLength);
    }
    return bytes;
  }
}

/** Reads the output of a {@link ColumnWriter}, in the same order. The arrays are views of the bytes. */
export class ColumnReader implements ColumnSource {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #lengths: DataView;
  #at = 0;

  /** Bytes that do not start at a multiple of 8 in their buffer are copied. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
    this.#lengths = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  }

  next<T extends Column>(Kind: ColumnKind<T>): T {
    if (this.#at + ALIGNMENT > this.#bytes.length) throw truncated();
    const size = this.#lengths.getFloat64(this.#at, true);
    const start = this.#at + ALIGNMENT;
    if (!(size >= 0 && start + size <= this.#bytes.length)) throw truncated();
    this.#at = start + aligned(size);
    return new Kind(this.#bytes.buffer, this.#bytes.byteOffset + start, size / Kind.BYTES_PER_ELEMENT);
  }

  numbers(): Numbers {
    const width = this.next(Uint8Array)[0];
    return width === Uint16Array.BYTES_PER_ELEMENT ? this.next(Uint16Array) : this.next(Uint32Array);
  }

  texts(): readonly string[] {
    return JSON.parse(decoder.decode(this.next(Uint8Array))) as string[];
  }
}

function aligned(size: number): number {
  return ALIGNMENT * Math.ceil(size / ALIGNMENT);
}

function truncated(): InvalidOptionError {
  return new InvalidOptionError("search segment", "truncated", "a complete segment; reindex the space");
}
