/** Keeps the first few and the newest of a list: how it began, and where it is. */
export function keepBounded<T>(list: readonly T[], max: number, first = 0): readonly T[] {
  if (list.length <= max) return list;
  return [...list.slice(0, first), ...list.slice(list.length - (max - first))];
}
