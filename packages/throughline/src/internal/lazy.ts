/**
 * Loads something when it is first needed, once. A failed load is tried again by the next call.
 *
 * @example
 * const loadWrites = lazy(() => import("./memory-writes.ts"));
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
