import { unpackVector } from "../packed-vector.ts";
import { type ColumnSink, type ColumnSource, grow, type SharedSink, type SharedSource, share } from "./columns.ts";
import { attachScanMemory, openScanMemory, type ScanMemory } from "./scan-kernel.ts";

/** The kernel reads this many bytes of a row at a time, also beyond its end. */
const LANES = 16;
/** Documents that {@link Vectors.above} looks at in one call: a multiple of four. */
const RANGE = 2_048;
/** Documents in a group. */
const GROUP = 4;
/** For the rounding of the kernel's 32-bit numbers, relative to the limit. */
const ROUNDING = 1e-5;
/** Number of documents from which the rows are in a WebAssembly memory. Each memory reserves address space. */
const MIN_SCANNED = 2_048;

/** Growth factor of the capacity for rows. */
const SPARE_ROWS = 1.25;

/** A query vector as integers. */
export interface WholeNumbers {
  readonly values: Int16Array;
  /** Factor that converts an integer product to a cosine with a row of unit length. */
  readonly scale: number;
}

/** With this factor, products of unit vectors with signed bytes stay below 2^31 for up to 260,000 dimensions. */
const LARGEST = 32_767;

/** A vector as integers, scaled to unit length. */
export function wholeNumbers(vector: Float32Array): WholeNumbers {
  const length = Math.hypot(...vector) || 1;
  const values = new Int16Array(vector.length);
  for (let at = 0; at < values.length; at += 1) values[at] = Math.round(((vector[at] as number) * LARGEST) / length);
  return { values, scale: 1 / LARGEST };
}

/** The functions of a WebAssembly memory, and arrays in it. */
interface Kernel extends ScanMemory {
  readonly query: Int16Array;
  readonly found: Uint32Array;
  readonly layout: MemoryLayout;
}

/** Arrays of one thread in a WebAssembly memory, and those that all of its threads read. */
interface MemoryLayout {
  readonly dimensions: number;
  /** Capacity in documents. */
  readonly capacity: number;
  readonly threads: number;
  /** Number of the memory: how many the index has opened. */
  readonly serial: number;
}

/** The vectors of the documents as signed bytes, one row per document. */
export class Vectors {
  #dimensions = 0;
  #rows: Int8Array = new Int8Array(0);
  /** Second bytes of the components, without padding; empty if no vector has them. */
  #fine: Int8Array = new Int8Array(0);
  /** Reciprocal length of each row; 0 if the document has no vector. */
  #scales: Float32Array = new Float32Array(16);
  #length = 0;
  #products: Int32Array = new Int32Array(0);
  #kernel: Kernel | undefined;
  #usesKernel: boolean;
  /** Number of threads with a result buffer, including this one. */
  #threads = 1;
  #opened = 0;

  /** `usesKernel` is false in tests of the fallback. */
  constructor(usesKernel: boolean = true) {
    this.#usesKernel = usesKernel;
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  /** Adds the vector of the next document, if it has one. The first vector sets the number of dimensions. */
  add(bytes: Uint8Array | undefined): void {
    const document = this.#length;
    this.#length += 1;
    if (this.#kernel === undefined) this.#scales = grow(this.#scales, this.#length);
    else this.#reserve();
    this.#scales[document] = 0;
    if (bytes === undefined || bytes.length === 0) return;
    const { high, low } = unpackVector(bytes);
    if (this.#dimensions === 0) this.#dimensions = high.length;
    if (high.length !== this.#dimensions) return;
    this.#reserve();
    this.#rows.set(high, document * this.#dimensions);
    if (low !== undefined || this.#fine.length > 0) {
      this.#fine = grow(this.#fine, this.#length * this.#dimensions);
      const start = document * this.#dimensions;
      if (low === undefined) this.#fine.fill(0, start, start + this.#dimensions);
      else this.#fine.set(low, start);
    }
    let square = 0;
    for (let at = 0; at < high.length; at += 1) {
      const value = (high[at] as number) + (low === undefined ? 0 : (low[at] as number) / 256);
      square += value * value;
    }
    this.#scales[document] = square === 0 ? 0 : 1 / Math.sqrt(square);
  }

  /** True if the components of vectors have second bytes. */
  get isFine(): boolean {
    return this.#fine.length > 0;
  }

  /** Product of all bytes of a document's vector with a query, which is not rounded: close vectors differ by little. */
  fineProduct(document: number, query: Float32Array): number {
    const start = document * this.#dimensions;
    let [high, low] = [0, 0];
    for (let at = 0; at < query.length; at += 1) {
      const value = query[at] as number;
      high += value * (this.#rows[start + at] as number);
      low += value * (this.#fine[start + at] ?? 0);
    }
    return high + low / 256;
  }

  /** Reciprocal lengths of the rows, for loops over all documents; 0 if the document has no vector. */
  get scales(): Float32Array {
    return this.#scales;
  }

  /** The vector of a document, scaled. */
  row(document: number): Int8Array | undefined {
    const start = document * this.#dimensions;
    return (this.#scales[document] as number) > 0 ? this.#rows.subarray(start, start + this.#dimensions) : undefined;
  }

  /**
   * Products of all rows with a query, for documents with a vector. The same integers with and without WebAssembly. The
   * result is valid until the next call.
   */
  multiply({ values }: WholeNumbers): Int32Array {
    if (this.#kernel !== undefined) {
      const { scan, query } = this.#kernel;
      query.set(values);
      const { byteOffset, length } = this.#rows;
      // The last documents may have no vectors and no rows.
      const end = byteOffset + Math.min(length, this.#length * this.#dimensions);
      const queryEnd = query.byteOffset + query.byteLength;
      scan(byteOffset, end, this.#dimensions, query.byteOffset, queryEnd, this.#products.byteOffset);
      return this.#products;
    }
    this.#products = grow(this.#products, this.#length);
    for (let document = 0; document < this.#length; document += 1) {
      if (this.#scales[document] === 0) continue;
      this.#products[document] = multiply(this.#rows, document * this.#dimensions, values);
    }
    return this.#products;
  }

  /**
   * Calls `visit` with ranges of documents, in order, that contain all whose scaled product is above a limit: `(product
   * + slack) * scale > limit`. The limit is `least` at first, then the last result of `visit`. Uses the products of the
   * last call of {@link multiply}.
   */
  above(slack: number, visit: (from: number, to: number) => number, least: number = Number.NEGATIVE_INFINITY): void {
    const length = this.#length;
    if (this.#kernel === undefined) {
      visit(0, length);
      return;
    }
    const { find, found } = this.#kernel;
    const [products, scales] = [this.#products.byteOffset, this.#scales.byteOffset];
    let limit = least;
    for (let from = 0; from < length; from += RANGE) {
      const size = GROUP * Math.ceil((Math.min(length, from + RANGE) - from) / GROUP);
      const start = products + 4 * from;
      // The limit may be infinite.
      const lower = limit - ROUNDING * Math.min(Number.MAX_VALUE, Math.abs(limit));
      const end = find(start, start + 4 * size, scales + 4 * from, slack, lower, found.byteOffset);
      const count = (end - found.byteOffset) / 4;
      for (let at = 0; at < count; at += 1) {
        const group = ((found[at] as number) - products) / 4;
        limit = visit(group, Math.min(length, group + GROUP));
      }
    }
  }

  /** Removes the documents that are not in `kept`, and renumbers the others in order. */
  keep(kept: Uint32Array): void {
    const dimensions = this.#dimensions;
    kept.forEach((document, renumbered) => {
      this.#scales[renumbered] = this.#scales[document] as number;
      this.#rows.copyWithin(renumbered * dimensions, document * dimensions, (document + 1) * dimensions);
      this.#fine.copyWithin(renumbered * dimensions, document * dimensions, (document + 1) * dimensions);
    });
    this.#length = kept.length;
  }

  /** Packs the vectors of all documents. */
  pack(writer: ColumnSink): void {
    writer.add(Uint32Array.of(this.#dimensions));
    writer.add(this.#scales.subarray(0, this.#length));
    writer.add(this.#rows.subarray(0, Math.min(this.#rows.length, this.#length * this.#dimensions)));
    writer.add(this.#fine.subarray(0, Math.min(this.#fine.length, this.#length * this.#dimensions)));
  }

  /** Loads the output of {@link pack}. */
  unpack(reader: ColumnSource): void {
    this.#dimensions = reader.next(Uint32Array)[0] ?? 0;
    this.#scales = reader.next(Float32Array);
    this.#length = this.#scales.length;
    this.#rows = reader.next(Int8Array);
    this.#fine = reader.next(Int8Array);
    if (this.#dimensions > 0) this.#reserve();
  }

  /** Hands over the vectors in memory for a number of threads, this one included. */
  share(writer: SharedSink, threads: number): void {
    if (this.#threads < threads) {
      this.#threads = threads;
      if (this.#kernel !== undefined) this.#open(this.#kernel.layout.capacity);
    }
    const { memory, layout } = this.#kernel ?? {};
    const { capacity = 0, serial = 0 } = layout ?? {};
    this.#fine = share(this.#fine);
    writer.addMemory(memory);
    writer.add(Uint32Array.of(this.#dimensions, this.#length, capacity, this.#threads, serial));
    writer.add(this.#fine);
    if (memory !== undefined) return;
    this.#rows = share(this.#rows);
    this.#scales = share(this.#scales);
    writer.add(this.#rows);
    writer.add(this.#scales);
  }

  /** Loads the columns that another thread passed with {@link share}. `thread` is the number of this one. */
  attach(reader: SharedSource, thread: number): void {
    const memory = reader.memory();
    const [dimensions = 0, length = 0, capacity = 0, threads = 1, serial = 0] = reader.next(Uint32Array);
    this.#dimensions = dimensions;
    this.#length = length;
    this.#fine = reader.next(Int8Array);
    if (memory === undefined) {
      this.#rows = reader.next(Int8Array);
      this.#scales = reader.next(Float32Array);
      return;
    }
    if (this.#kernel?.layout.serial === serial) return;
    const isAttached = this.#use(attachScanMemory(memory), { dimensions, capacity, threads, serial }, thread);
    if (!isAttached)
      throw new Error(
        "Cannot search in a worker thread: it could not use the shared WebAssembly memory. Search without threads.",
      );
  }

  /** Bytes of memory. */
  get bytes(): number {
    const results = this.#threads * this.#products.byteLength;
    return [this.#rows, this.#fine, this.#scales].reduce((sum, { byteLength }) => sum + byteLength, results);
  }

  /** Grows the rows to the number of documents. */
  #reserve(): void {
    const bytes = this.#length * this.#dimensions;
    const isRoom = bytes <= this.#rows.length && this.#length <= this.#scales.length;
    if (isRoom && (this.#kernel !== undefined || this.#length < MIN_SCANNED || !this.#usesKernel)) return;
    const isLarge = this.#usesKernel && this.#length >= MIN_SCANNED;
    if (isLarge && this.#open(GROUP * Math.ceil((SPARE_ROWS * this.#length) / GROUP))) return;
    if (isLarge) this.#usesKernel = false;
    this.#kernel = undefined;
    this.#rows = grow(this.#rows, bytes);
    this.#scales = grow(this.#scales, this.#length);
  }

  /** Moves rows and scales to a new memory. Returns `false` if there is none. */
  #open(capacity: number): boolean {
    const [rows, scales] = [this.#rows, this.#scales];
    const layout = { dimensions: this.#dimensions, capacity, threads: this.#threads, serial: this.#opened + 1 };
    const memory = openScanMemory(sizesOf(layout).all, this.#threads > 1);
    if (!this.#use(memory, layout, 0)) return false;
    this.#opened += 1;
    this.#scales.set(scales.subarray(0, capacity));
    this.#rows.set(rows.subarray(0, this.#rows.length));
    return true;
  }

  /** Uses the arrays of a thread in a memory: the query, results and products of each, then all scales and rows. */
  #use(memory: ScanMemory | undefined, layout: MemoryLayout, thread: number): boolean {
    if (memory === undefined) return false;
    const { buffer } = memory.memory;
    const { capacity, dimensions } = layout;
    const { query, results, scales } = sizesOf(layout);
    const own = thread * results;
    const afterQuery = own + query;
    this.#products = new Int32Array(buffer, afterQuery + RANGE, capacity);
    this.#scales = new Float32Array(buffer, scales, capacity);
    this.#rows = new Int8Array(buffer, scales + 4 * capacity, capacity * dimensions);
    this.#kernel = {
      ...memory,
      layout,
      query: new Int16Array(buffer, own, query / 2),
      found: new Uint32Array(buffer, afterQuery, RANGE / GROUP),
    };
    return true;
  }
}

/** Bytes of the query and of all results of a thread, position of the scales, and bytes of the memory. */
function sizesOf({ dimensions, capacity, threads }: MemoryLayout) {
  const query = 2 * LANES * Math.ceil(dimensions / LANES);
  const results = query + RANGE + 4 * capacity;
  const scales = threads * results;
  return { query, results, scales, all: scales + capacity * (4 + dimensions) + LANES };
}

/** Dot product of a row and a vector. The four independent sums can run in parallel in the processor. */
function multiply(rows: Int8Array, start: number, values: Int16Array): number {
  const length = values.length;
  const byFour = length - (length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = 0, row = start; at < byFour; at += 4, row += 4) {
    a = (a + Math.imul(rows[row] as number, values[at] as number)) | 0;
    b = (b + Math.imul(rows[row + 1] as number, values[at + 1] as number)) | 0;
    c = (c + Math.imul(rows[row + 2] as number, values[at + 2] as number)) | 0;
    d = (d + Math.imul(rows[row + 3] as number, values[at + 3] as number)) | 0;
  }
  for (let at = byFour; at < length; at += 1) {
    a = (a + Math.imul(rows[start + at] as number, values[at] as number)) | 0;
  }
  return (a + b + c + d) | 0;
}
