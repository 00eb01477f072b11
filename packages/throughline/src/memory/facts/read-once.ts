/** Texts that are kept in mind; then it begins anew. */
const MOST_TEXTS = 20_000;
/** What is longer is seldom read twice. */
const LONGEST_TEXT = 400;

/** Reads a short text once: what is said of one thing is compared with all that was said of it before. */
export function readOnce<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as T;
    const result = read(text);
    if (text.length > LONGEST_TEXT) return result;
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(text, result);
    return result;
  };
}
