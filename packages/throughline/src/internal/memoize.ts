/** Maximum cached texts; then the cache is cleared. */
const MAX_TEXTS = 20_000;
const MAX_TEXT_LENGTH = 400;
const MAX_LONG_TEXTS = 4;

/**
 * Caches the results of a function of a text.
 *
 * @param maxLength Of longer texts only the last few are cached. They are rarely repeated, except when one is compared
 * with many others.
 */
export function memoizeByText<T>(read: (text: string) => T, maxLength: number = MAX_TEXT_LENGTH): (text: string) => T {
  const known = new Map<string, T>();
  const readLong = memoizeLast(read);
  return (text) => {
    if (text.length > maxLength) return readLong(text);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as T;
    const result = read(text);
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, result);
    return result;
  };
}

/** Caches the results for the most recently used texts. */
function memoizeLast<T>(read: (text: string) => T): (text: string) => T {
  const last: { readonly text: string; readonly result: T }[] = [];
  return (text) => {
    const at = last.findIndex((one) => one.text === text);
    const [found = { text, result: read(text) }] = at < 0 ? [] : last.splice(at, 1);
    last.unshift(found);
    last.length = Math.min(last.length, MAX_LONG_TEXTS);
    return found.result;
  };
}

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
