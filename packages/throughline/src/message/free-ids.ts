/**
 * Returns a function that makes unique ids: the wanted id if it is free, otherwise the wanted id with a number. The
 * next number per id is cached, so n requests for one id take linear time.
 */
export function freeIds(taken: Iterable<string>): (wanted: string) => string {
  const used = new Set(taken);
  const next = new Map<string, number>();
  return (wanted) => {
    let id = wanted;
    let n = next.get(wanted) ?? 2;
    for (; used.has(id); n += 1) id = `${wanted}-${n}`;
    next.set(wanted, n);
    used.add(id);
    return id;
  };
}
