/**
 * The words of a list, written with white space between them.
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
 * The source of a pattern that matches any of the phrases in a list, written with a comma and a space between them. A
 * phrase may itself be a pattern.
 *
 * @example
 * new RegExp(anyPhrase("no longer, any ?more")).test("not anymore"); // true
 */
export function anyPhrase(list: string): string {
  return `(?:${list.trim().replace(/\s+/g, " ").split(", ").join("|")})`;
}
