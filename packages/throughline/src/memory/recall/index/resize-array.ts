type Numbers = Uint8Array | Int8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** The array itself, or a longer copy if `length` does not fit. */
export function grow<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const Kind = array.constructor as new (length: number) => T;
  const longer = new Kind(Math.max(length, 2 * array.length, 16));
  longer.set(array as never);
  return longer;
}
