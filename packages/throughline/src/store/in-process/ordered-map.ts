/** Values by id, which can be gone through in the order of their ids. */
export class OrderedMap<T> {
  readonly #values = new Map<string, T>();
  /** In order, from when it was first asked for. */
  #ids: string[] | undefined;

  get(id: string): T | undefined {
    return this.#values.get(id);
  }

  set(id: string, value: T): void {
    if (!this.#values.has(id)) this.#ids?.splice(this.#placeOf(id), 0, id);
    this.#values.set(id, value);
  }

  delete(id: string): boolean {
    if (!this.#values.delete(id)) return false;
    this.#ids?.splice(this.#placeOf(id), 1);
    return true;
  }

  clear(): void {
    this.#ids = undefined;
    this.#values.clear();
  }

  get size(): number {
    return this.#values.size;
  }

  /** Items after an id, or all. Nothing may be added or deleted meanwhile. */
  *behind(after?: string): Generator<T> {
    this.#ids ??= [...this.#values.keys()].sort();
    const ids = this.#ids;
    const start = after === undefined ? 0 : firstIndex(ids, (id) => id > after);
    for (let i = start; i < ids.length; i += 1) yield this.#values.get(ids[i] as string) as T;
  }

  #placeOf(id: string): number {
    return firstIndex(this.#ids ?? [], (one) => one >= id);
  }
}

/** Index of the first item of a sorted list that meets a condition, which all items after it meet too. */
export function firstIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
