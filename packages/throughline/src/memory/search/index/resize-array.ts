import type { Column } from "./columns.ts";

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
  const copy = allocate(array.constructor as ColumnKind<T>, array.length, true);
  copy.set(array as never);
  return copy;
}

/** An array of zeros of the same type, shared if the given one is. */
export function arrayLike<T extends Column>(array: T, length: number): T {
  return allocate(array.constructor as ColumnKind<T>, length, isShared(array));
}

interface ColumnKind<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (content: number | SharedArrayBuffer): T;
}

function allocate<T>(Kind: ColumnKind<T>, length: number, shared: boolean): T {
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

/** An array of zeros with room for numbers up to `largest`, shared if the given one is. */
export function numbersLike(array: Numbers, length: number, largest: number): Numbers {
  const shared = isShared(array);
  return largest > MAX_NARROW ? allocate(Uint32Array, length, shared) : allocate(Uint16Array, length, shared);
}
