import type { Column } from "./columns.ts";

/** Longer arrays grow by a quarter instead of doubling. */
const LARGE = 65_536;

/** The array itself, or a longer copy if `length` does not fit. */
export function grow<T extends Column>(array: T, length: number): T {
  if (length <= array.length) return array;
  const Kind = array.constructor as new (length: number) => T;
  const factor = array.length < LARGE ? 2 : 1.25;
  const longer = new Kind(Math.max(length, Math.ceil(factor * array.length), 16));
  longer.set(array as never);
  return longer;
}
