import { baseForm } from "./base-form.ts";

/** The words of a list that is written with spaces between them. */
export function words(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/** A set of them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(words(list));
}

/** A set of their bases. */
export function baseSet(list: string): ReadonlySet<string> {
  return new Set(words(list).map(baseForm));
}

/** Lines of `name: word word`, as the names by the bases of their words. */
export function namesByWord(lines: string): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const line of lines.trim().split("\n")) {
    const [name = "", list = ""] = line.split(":");
    for (const base of baseSet(list)) names.set(base, (names.get(base) ?? new Set()).add(baseForm(name.trim())));
  }
  return names;
}
