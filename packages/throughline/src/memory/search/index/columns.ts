import { InvalidOptionError } from "../../../errors/input-errors.ts";
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

/** An array in shared memory, a list of names, which is copied, or a memory of WebAssembly. */
export type SharedColumn = Column | readonly string[] | SharedMemory | undefined;

/** A column as another thread gets it: only its length, if the thread has one at the same place in memory. */
export type SentColumn = SharedColumn | number;

/** Changes for a thread that has the columns of an earlier state, in which nothing was renumbered. */
export function changedColumns(
  columns: readonly SharedColumn[],
  before: readonly SharedColumn[] = [],
): readonly SentColumn[] {
  return columns.map((column, at) => {
    const known = before[at];
    if (Array.isArray(column))
      return column.length === (known as string[] | undefined)?.length ? column.length : column;
    if (!ArrayBuffer.isView(column)) return column !== undefined && column === known ? 0 : column;
    const isSame =
      ArrayBuffer.isView(known) && known.buffer === column.buffer && known.byteOffset === column.byteOffset;
    return isSame ? (column as Column).length : column;
  });
}

/** Applies the changes of {@link changedColumns} to the earlier columns of a thread. */
export function applyChanges(
  changed: readonly SentColumn[],
  before: readonly SharedColumn[] = [],
): readonly SharedColumn[] {
  return changed.map((column, at) => {
    if (typeof column !== "number") return column;
    const known = before[at];
    if (!ArrayBuffer.isView(known)) return known;
    const Kind = known.constructor as new (buffer: ArrayBufferLike, start: number, length: number) => Column;
    return new Kind(known.buffer, known.byteOffset, column);
  });
}

/** The columns of an index as a list that can be sent to another thread: its arrays are not copied. */
export class SharedColumns implements SharedSink, SharedSource {
  readonly columns: SharedColumn[];
  #at = 0;

  constructor(columns: readonly SharedColumn[] = []) {
    this.columns = [...columns];
  }

  add(column: Column): void {
    this.columns.push(column);
  }

  addNumbers(column: Numbers): void {
    this.columns.push(column);
  }

  addTexts(texts: readonly string[]): void {
    this.columns.push([...texts]);
  }

  addMemory(memory: SharedMemory | undefined): void {
    this.columns.push(memory);
  }

  next<T extends Column>(): T {
    return this.#take() as T;
  }

  numbers(): Numbers {
    return this.#take() as Numbers;
  }

  texts(): readonly string[] {
    return this.#take() as readonly string[];
  }

  memory(): SharedMemory | undefined {
    return this.#take() as SharedMemory | undefined;
  }

  #take(): SharedColumn {
    const column = this.columns[this.#at];
    this.#at += 1;
    return column;
  }
}

/** Longer arrays grow by a quarter instead of doubling: a server holds the indexes of many users. */
const LARGE = 256;

/** The array itself, or a longer copy if `length` does not fit. The copy of a shared array is shared. */
export function grow<T extends Column>(array: T, length: number): T {
  if (length <= array.length) return array;
  const factor = array.length < LARGE ? 2 : 1.25;
  const longer = arrayLike(array, Math.max(length, Math.ceil(factor * array.length), 16));
  longer.set(array as never);
  return longer;
}

/** The array itself if threads can share it, otherwise a copy that they can. */
export function share<T extends Column>(array: T): T {
  if (isShared(array)) return array;
  const copy = allocate(array.constructor as ArrayKind<T>, array.length, true);
  copy.set(array as never);
  return copy;
}

/** An array of zeros of the same type, shared if the given one is. */
export function arrayLike<T extends Column>(array: T, length: number): T {
  return allocate(array.constructor as ArrayKind<T>, length, isShared(array));
}

interface ArrayKind<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (content: number | SharedArrayBuffer): T;
}

function allocate<T>(Kind: ArrayKind<T>, length: number, shared: boolean): T {
  return new Kind(shared ? new SharedArrayBuffer(length * Kind.BYTES_PER_ELEMENT) : length);
}

/** Browsers have shared memory only in pages that are isolated from other origins. */
const { SharedArrayBuffer: SharedBuffer } = globalThis as { readonly SharedArrayBuffer?: SharedArrayBufferConstructor };

function isShared({ buffer }: Column): boolean {
  return SharedBuffer !== undefined && buffer instanceof SharedBuffer;
}

/** Whole numbers from 0 on, with as many bytes each as the largest one needs. */
export type Numbers = Uint16Array | Uint32Array;

const MAX_NARROW = 0xffff;

/** Room for `length` numbers up to `largest`: the array itself, or a longer or wider copy. */
export function growNumbers(array: Numbers, length: number, largest: number): Numbers {
  if (!(array instanceof Uint16Array && largest > MAX_NARROW)) return grow(array, length);
  const wide = numbersLike(array, array.length, largest);
  wide.set(array);
  return grow(wide, length);
}

/** A zeroed array for numbers up to `largest`; shared if the given array is shared. */
export function numbersLike(array: Numbers, length: number, largest: number): Numbers {
  const shared = isShared(array);
  return largest > MAX_NARROW ? allocate(Uint32Array, length, shared) : allocate(Uint16Array, length, shared);
}
