export interface LruOptions<K, V> {
  /** Largest sum of sizes. The entry that was set last is kept in any case. */
  readonly maxSize: number;
  /** Size of an entry, for example in bytes; measured when it is set. By default each entry counts 1. */
  readonly sizeOf?: (value: V, key: K) => number;
  /** Called for evicted entries, not for deleted or replaced ones. */
  readonly onEvict?: (value: V, key: K) => void;
}

/**
 * A cache that drops the entries that were not used for longest.
 *
 * @example
 * const pages = new Lru<string, Uint8Array>({ maxSize: 64_000_000, sizeOf: (page) => page.byteLength });
 */
export class Lru<K, V> {
  readonly #options: LruOptions<K, V>;
  /** The entry that was used last comes last. */
  readonly #entries = new Map<K, { readonly value: V; readonly size: number }>();
  #size = 0;

  constructor(options: LruOptions<K, V>) {
    this.#options = options;
  }

  /** The value of a key, which counts as used now. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const size = this.#options.sizeOf?.(value, key) ?? 1;
    this.#entries.set(key, { value, size });
    this.#size += size;
    this.#evict();
  }

  delete(key: K): boolean {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** Sum of the sizes of all entries. */
  get size(): number {
    return this.#size;
  }

  /** All entries, the least recently used first. */
  entries(): (readonly [K, V])[] {
    return Array.from(this.#entries, ([key, { value }]) => [key, value] as const);
  }

  /** All values, the least recently used first. */
  values(): V[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  #evict(): void {
    const { maxSize, onEvict } = this.#options;
    for (const [key, { value }] of this.#entries) {
      if (this.#size <= maxSize || this.#entries.size === 1) return;
      this.delete(key);
      onEvict?.(value, key);
    }
  }
}
