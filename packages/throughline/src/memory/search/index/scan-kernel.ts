// The dot products of all rows with a query, as a WebAssembly module with 128-bit vectors. The module is assembled here
// from its instructions, so that no compiler and no binary file is needed.

/**
 * Computes the product of each row with the query: `products[n] = rows[n] · query`, in 32-bit integers. Four rows at a
 * time: after the last one there must be room for up to three more rows, and for their products.
 */
type ScanRows = (
  /** Byte offset of the first row of signed bytes. Up to 15 bytes after a row are read, and do not count. */
  rows: number,
  end: number,
  /** Bytes per row. */
  stride: number,
  /** Byte offset of the query: 16-bit integers, padded with zeros to a multiple of 16 elements. */
  query: number,
  /** Byte offset of the end of the query with its padding. */
  queryEnd: number,
  /** Byte offset of the results, 32-bit integers. */
  products: number,
) => void;

/**
 * Finds the groups of four documents of which one has a scaled product above a limit:
 * `(products[n] + slack) * scales[n] > least`, in 32-bit floating point.
 *
 * @returns Byte offset of the end of the results.
 */
type FindAbove = (
  /** Byte offsets of the products, and of their end: a multiple of 16 bytes later. */
  products: number,
  end: number,
  /** Byte offset of the scales, 32-bit floating point. */
  scales: number,
  slack: number,
  least: number,
  /** Byte offset of the results: offset of the products of each group. */
  results: number,
) => number;

type Bytes = readonly number[];

/** Value types and instructions, by their names in the WebAssembly text format. */
const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
const EMPTY_BLOCK = 0x40;
const LOOP = [0x03, EMPTY_BLOCK];
const IF = [0x04, EMPTY_BLOCK];
const END = [0x0b];
const BRANCH_IF_0 = [0x0d, 0];
const I32_ADD = [0x6a];
const I32_LESS = [0x49];
const I32_STORE = [0x36, 2, 0];

/** An unsigned number in LEB128. */
function unsigned(value: number): Bytes {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

const get = (local: number): Bytes => [0x20, local];
const set = (local: number): Bytes => [0x21, local];
/** Constants below 64, which have one byte in signed LEB128. */
const constant = (value: number): Bytes => [0x41, value];
const simd = (instruction: number, ...immediates: number[]): Bytes => [0xfd, ...unsigned(instruction), ...immediates];
/** Loads need no alignment. */
const load = (offset: number): Bytes => simd(0x00, 0, offset);
const store = (offset: number): Bytes => simd(0x0b, 0, offset);
/** Eight signed bytes as 16-bit integers. */
const loadBytes = (offset: number): Bytes => simd(0x01, 0, offset);
const DOT_I16 = simd(0xba);
const ADD_I32X4 = simd(0xae);
const ZEROS: Bytes = [...simd(0x0c), ...new Array<number>(16).fill(0)];
/** Four 32-bit lanes of two vectors: 0 to 3 of the first, 4 to 7 of the second. */
const shuffle = (...lanes: number[]): Bytes =>
  simd(0x0d, ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]));
const SPLAT_F32 = simd(0x13);
const CONVERT_I32X4 = simd(0xfa);
const ADD_F32X4 = simd(0xe4);
const MULTIPLY_F32X4 = simd(0xe6);
const GREATER_F32X4 = simd(0x44);
const ANY_TRUE = simd(0x53);

const advance = (local: number, bytes: number): Bytes => [...get(local), ...constant(bytes), ...I32_ADD, ...set(local)];

function scanBody(): Bytes {
  // The parameters of ScanRows, then the position in the query, those in four rows, and their sums.
  const [row, rowsEnd, stride, query, queryEnd, product, term] = [0, 1, 2, 3, 4, 5, 6];
  const bytes = [7, 8, 9, 10];
  const sums = [11, 12, 13, 14] as const;
  /** Adds the products of sixteen components of a row to its sum. */
  const accumulate = (at: number): Bytes => {
    const [byte, sum] = [bytes[at] as number, sums[at] as number];
    const eight = (offset: number): Bytes => [
      ...[...get(byte), ...loadBytes(offset), ...get(term), ...load(2 * offset), ...DOT_I16, ...ADD_I32X4],
    ];
    return [...get(sum), ...eight(0), ...eight(8), ...set(sum), ...advance(byte, 16)];
  };
  const startRow = (at: number): Bytes => [
    ...[...ZEROS, ...set(sums[at] as number), ...get(row), ...set(bytes[at] as number)],
    ...[...get(row), ...get(stride), ...I32_ADD, ...set(row)],
  ];
  /** Sums of the halves of two vectors: lanes 0 and 2, and 1 and 3, of each in turn. */
  const addHalves = (a: number, b: number): Bytes => [
    ...[...get(a), ...get(b), ...shuffle(0, 4, 1, 5), ...get(a), ...get(b), ...shuffle(2, 6, 3, 7), ...ADD_I32X4],
  ];
  const [low, high] = [sums[0], sums[2]];
  return [
    // Two groups of locals.
    ...[2, 5, I32, 4, V128],
    ...LOOP,
    ...[0, 1, 2, 3].flatMap(startRow),
    ...[...get(query), ...set(term)],
    ...LOOP,
    ...[0, 1, 2, 3].flatMap(accumulate),
    ...advance(term, 32),
    ...[...get(term), ...get(queryEnd), ...I32_LESS, ...BRANCH_IF_0],
    ...END,
    ...[...addHalves(sums[0], sums[1]), ...set(low), ...addHalves(sums[2], sums[3]), ...set(high)],
    ...[...get(product), ...get(low), ...get(high), ...shuffle(0, 1, 4, 5)],
    ...[...get(low), ...get(high), ...shuffle(2, 3, 6, 7), ...ADD_I32X4, ...store(0), ...advance(product, 16)],
    ...[...get(row), ...get(rowsEnd), ...I32_LESS, ...BRANCH_IF_0],
    ...END,
    ...END,
  ];
}

function findBody(): Bytes {
  // The parameters of FindAbove, then slack and limit four times.
  const [product, end, scale, slack, least, result, slacks, limits] = [0, 1, 2, 3, 4, 5, 6, 7];
  return [
    // One group of locals.
    ...[1, 2, V128],
    ...[...get(slack), ...SPLAT_F32, ...set(slacks), ...get(least), ...SPLAT_F32, ...set(limits)],
    ...LOOP,
    ...[...get(product), ...load(0), ...CONVERT_I32X4, ...get(slacks), ...ADD_F32X4],
    ...[...get(scale), ...load(0), ...MULTIPLY_F32X4, ...get(limits), ...GREATER_F32X4, ...ANY_TRUE],
    ...IF,
    ...[...get(result), ...get(product), ...I32_STORE, ...advance(result, 4)],
    ...END,
    ...[...advance(product, 16), ...advance(scale, 16)],
    ...[...get(product), ...get(end), ...I32_LESS, ...BRANCH_IF_0],
    ...END,
    ...[...get(result), ...END],
  ];
}

const text = (value: string): Bytes => [value.length, ...new TextEncoder().encode(value)];
const section = (id: number, content: Bytes): Bytes => [id, ...unsigned(content.length), ...content];

const sized = (content: Bytes): Bytes => [...unsigned(content.length), ...content];

/** The module. A shared memory has another type than one of a single thread, with a maximum size. */
function assemble(isShared: boolean): Uint8Array<ArrayBuffer> {
  const memory = isShared ? [0x03, 0, ...unsigned(MAX_PAGES)] : [0x00, 1];
  const types = [...[0x60, 6, I32, I32, I32, I32, I32, I32, 0], ...[0x60, 6, I32, I32, I32, F32, F32, I32, 1, I32]];
  return Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, ...types]),
    ...section(2, [1, ...text("m"), ...text("m"), 0x02, ...memory]),
    ...section(3, [2, 0, 1]),
    ...section(7, [2, ...text("scan"), 0x00, 0, ...text("find"), 0x00, 1]),
    ...section(10, [2, ...sized(scanBody()), ...sized(findBody())]),
  );
}

/** The parts of the global `WebAssembly` that are used. The library has no types of a browser or of Node. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum?: number;
    readonly shared?: boolean;
  }) => SharedMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** A WebAssembly memory. Threads can share it if it was opened for that. */
export interface SharedMemory {
  readonly buffer: ArrayBuffer;
}

/** A memory with the kernel over it. */
export interface ScanMemory {
  readonly memory: SharedMemory;
  readonly scan: ScanRows;
  readonly find: FindAbove;
}

const PAGE = 65_536;
const MAX_PAGES = 65_536;
const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
const compiled: { own?: object; shared?: object } = {};

/**
 * A memory of at least `bytes`; `undefined` if it is too large, or WebAssembly with vectors is missing or forbidden.
 */
export function openScanMemory(bytes: number, isShared: boolean): ScanMemory | undefined {
  const pages = Math.ceil(bytes / PAGE);
  if (api === undefined || pages > MAX_PAGES) return undefined;
  const { Memory } = api;
  const shared = isShared ? { maximum: pages, shared: true } : {};
  return withKernel(() => new Memory({ initial: pages, ...shared }), isShared ? "shared" : "own");
}

/** The kernel over a shared memory that another thread has opened. */
export function attachScanMemory(memory: SharedMemory): ScanMemory | undefined {
  return withKernel(() => memory, "shared");
}

function withKernel(open: () => SharedMemory, type: "own" | "shared"): ScanMemory | undefined {
  if (api === undefined) return undefined;
  try {
    compiled[type] ??= new api.Module(assemble(type === "shared"));
    const memory = open();
    const { scan, find } = new api.Instance(compiled[type], { m: { m: memory } }).exports;
    return { memory, scan: scan as ScanRows, find: find as FindAbove };
  } catch {
    // An old engine, a page whose content security policy forbids WebAssembly, or no room for the memory.
    return undefined;
  }
}
