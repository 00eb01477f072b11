/**
 * Splits a list of words at white space.
 *
 * @example
 * wordList("monday tuesday"); // ["monday", "tuesday"]
 */
export function wordList(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/**
 * The same as a set.
 *
 * @example
 * wordSet("yes no").has("yes"); // true
 */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(wordList(list));
}

/**
 * The source of a pattern that matches any phrase of a list. Phrases are separated by a comma and a space, and may be
 * patterns.
 *
 * @example
 * new RegExp(anyPhrase("no longer, any ?more")).test("not anymore"); // true
 */
export function anyPhrase(list: string): string {
  return `(?:${list.trim().replace(/\s+/g, " ").split(", ").join("|")})`;
}
