/** Texts that are kept in mind; then it begins anew. */
const MAX_TEXTS = 20_000;
/** Longer texts are seldom read twice, except if one is compared with many: the last few of them are kept. */
const MAX_TEXT_LENGTH = 400;
const MAX_LONG_TEXTS = 4;

/** Reads a short text once: what is said of one thing is compared with all that was said of it before. */
export function readOnce<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  const readLong = readLast(read);
  return (text) => {
    if (text.length > MAX_TEXT_LENGTH) return readLong(text);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as T;
    const result = read(text);
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, result);
    return result;
  };
}

/** Keeps the results of the texts that were asked for last. */
function readLast<T>(read: (text: string) => T): (text: string) => T {
  const last: { readonly text: string; readonly result: T }[] = [];
  return (text) => {
    const at = last.findIndex((one) => one.text === text);
    const [found = { text, result: read(text) }] = at < 0 ? [] : last.splice(at, 1);
    last.unshift(found);
    last.length = Math.min(last.length, MAX_LONG_TEXTS);
    return found.result;
  };
}
