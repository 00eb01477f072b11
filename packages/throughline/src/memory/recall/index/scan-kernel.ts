// The dot products of all rows with a query, as a WebAssembly module with 128-bit vectors. The module is assembled here
// from its instructions, so that no compiler and no binary file is needed.

/** Computes the product of each row with the query: `products[n] = rows[n] · query`, in 32-bit integers. */
export type ScanRows = (
  /** Byte offset of the first row of signed bytes; rows are padded with zeros to `stride` bytes. */
  rows: number,
  end: number,
  /** Bytes per row, a multiple of 16. */
  stride: number,
  /** Byte offset of the query: 16-bit integers, padded with zeros to `stride` elements. */
  query: number,
  /** Byte offset of the results, 32-bit integers. */
  products: number,
) => void;

type Bytes = readonly number[];

/** Value types and instructions, by their names in the WebAssembly text format. */
const I32 = 0x7f;
const V128 = 0x7b;
const EMPTY_BLOCK = 0x40;
const LOOP = [0x03, EMPTY_BLOCK];
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
const load = (offset: number): Bytes => simd(0x00, 4, offset);
const EXTEND_LOW = simd(0x87);
const EXTEND_HIGH = simd(0x88);
const DOT_I16 = simd(0xba);
const ADD_I32X4 = simd(0xae);
const ZEROS: Bytes = [...simd(0x0c), ...new Array<number>(16).fill(0)];
const lane = (at: number): Bytes => simd(0x1b, at);

/** Locals: the parameters of {@link ScanRows}, then the position in the query, the end of the row and two sums. */
const [ROW, ROWS_END, STRIDE, QUERY, PRODUCT, TERM, ROW_END, LOW, HIGH] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const advance = (local: number, bytes: number): Bytes => [...get(local), ...constant(bytes), ...I32_ADD, ...set(local)];
/** Adds the products of eight components to a sum. */
const accumulate = (sum: number, extend: Bytes, offset: number): Bytes => [
  ...[...get(sum), ...get(ROW), ...load(0), ...extend, ...get(TERM), ...load(offset), ...DOT_I16],
  ...[...ADD_I32X4, ...set(sum)],
];
const sumOfLanes = [0, 1, 2, 3].flatMap((at) => [...get(LOW), ...lane(at), ...(at === 0 ? [] : I32_ADD)]);

const BODY: Bytes = [
  ...LOOP,
  ...[...ZEROS, ...set(LOW), ...ZEROS, ...set(HIGH), ...get(QUERY), ...set(TERM)],
  ...[...get(ROW), ...get(STRIDE), ...I32_ADD, ...set(ROW_END)],
  ...LOOP,
  ...[...accumulate(LOW, EXTEND_LOW, 0), ...accumulate(HIGH, EXTEND_HIGH, 16)],
  ...[...advance(TERM, 32), ...advance(ROW, 16)],
  ...[...get(ROW), ...get(ROW_END), ...I32_LESS, ...BRANCH_IF_0],
  ...END,
  ...[...get(LOW), ...get(HIGH), ...ADD_I32X4, ...set(LOW)],
  ...[...get(PRODUCT), ...sumOfLanes, ...I32_STORE, ...advance(PRODUCT, 4)],
  ...[...get(ROW), ...get(ROWS_END), ...I32_LESS, ...BRANCH_IF_0],
  ...END,
  ...END,
];

const text = (value: string): Bytes => [value.length, ...new TextEncoder().encode(value)];
const section = (id: number, content: Bytes): Bytes => [id, ...unsigned(content.length), ...content];

function assemble(): Uint8Array<ArrayBuffer> {
  const locals = [2, 2, I32, 2, V128];
  const code = [...locals, ...BODY];
  return Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...text("m"), ...text("m"), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text("scan"), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  );
}

/** The parts of the global `WebAssembly` that are used. The library has no types of a browser or of Node. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** A memory with the kernel over it. */
export interface ScanMemory {
  readonly buffer: ArrayBuffer;
  readonly scan: ScanRows;
}

const PAGE = 65_536;
const MAX_PAGES = 65_536;
const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
let compiled: object | undefined;

/** A memory of at least `bytes`; `undefined` if it is too large, or WebAssembly with vectors is missing or forbidden. */
export function openScanMemory(bytes: number): ScanMemory | undefined {
  const pages = Math.ceil(bytes / PAGE);
  if (api === undefined || pages > MAX_PAGES) return undefined;
  try {
    compiled ??= new api.Module(assemble());
    const memory = new api.Memory({ initial: pages });
    const { scan } = new api.Instance(compiled, { m: { m: memory } }).exports;
    return { buffer: memory.buffer, scan: scan as ScanRows };
  } catch {
    // An old engine, a page whose content security policy forbids WebAssembly, or no room for the memory.
    return undefined;
  }
}
