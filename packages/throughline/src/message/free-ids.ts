/**
 * Gives ids that are not taken yet: the wanted one, else the wanted one with a number. The next number is remembered, so
 * that a thousand askers for one id do not each count from the start.
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
