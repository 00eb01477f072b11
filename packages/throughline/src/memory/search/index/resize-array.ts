import type { Column } from "./columns.ts";

/** Longer arrays grow by a quarter instead of doubling: a server holds the indexes of many users. */
const LARGE = 256;

/** The array itself, or a longer copy if `length` does not fit. */
export function grow<T extends Column>(array: T, length: number): T {
  if (length <= array.length) return array;
  const Kind = array.constructor as new (length: number) => T;
  const factor = array.length < LARGE ? 2 : 1.25;
  const longer = new Kind(Math.max(length, Math.ceil(factor * array.length), 16));
  longer.set(array as never);
  return longer;
}

/** Whole numbers from 0 on, with as many bytes each as the largest one needs. */
export type Numbers = Uint16Array | Uint32Array;

const MAX_NARROW = 0xffff;

/** Room for `length` numbers up to `largest`: the array itself, or a longer or wider copy. */
export function growNumbers(array: Numbers, length: number, largest: number): Numbers {
  if (array instanceof Uint16Array && largest > MAX_NARROW) return grow(new Uint32Array(array), length);
  return grow(array, length);
}

/** An array of zeros with room for numbers up to `largest`. */
export function numbersFor(length: number, largest: number): Numbers {
  return largest > MAX_NARROW ? new Uint32Array(length) : new Uint16Array(length);
}
