/**
 * Returns the entry of a model, or of the longest-named model that it is a variant of.
 *
 * @example
 * findModel("gpt-4o-2024-08-06", { "gpt-4": 8_192, "gpt-4o": 128_000 }); // 128000
 */
export function findModel<T>(name: string, table: Readonly<Record<string, T>>): T | undefined {
  return longestMatch(name, table, isVariant);
}

/** Returns the entry with the longest name that is a prefix of this one, if the remainder may follow it. */
export function longestMatch<T>(
  name: string,
  table: Readonly<Record<string, T>>,
  mayFollow: (rest: string) => boolean,
): T | undefined {
  const wanted = dashedName(name);
  let best: { readonly length: number; readonly value: T } | undefined;
  for (const [key, value] of Object.entries(table)) {
    const candidate = dashedName(key);
    if (!wanted.startsWith(candidate) || candidate.length <= (best?.length ?? 0)) continue;
    if (mayFollow(wanted.slice(candidate.length))) best = { length: candidate.length, value };
  }
  return best?.value;
}

/** Normalizes `claude-3.5` and `claude-3-5`, which are both in use. */
export function dashedName(name: string): string {
  return name.toLowerCase().replaceAll(".", "-");
}

/** `-0613` is a date and `-8b` a size, so a variant; `-9` is another version. */
function isVariant(rest: string): boolean {
  return rest === "" || (/^[-@:_]/.test(rest) && !/^-\d{1,2}(?![\da-z])/.test(rest));
}
