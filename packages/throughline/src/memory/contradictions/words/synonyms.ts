import { baseForm, baseFormSet } from "../../../language/stem.ts";
import { SAME_WORDS } from "./same-words.ts";
import { WIDER_WORDS } from "./wider-words.ts";

/** By a word, the names of the lines that it is on. */
const SAME = namesByWord(SAME_WORDS);
const WIDER = namesByWord(WIDER_WORDS);

/** Lines of `name: word word`, as the names by the bases of their words. */
function namesByWord(lines: string): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const line of lines.trim().split("\n")) {
    const [name = "", list = ""] = line.split(":");
    for (const base of baseFormSet(list)) names.set(base, (names.get(base) ?? new Set()).add(baseForm(name.trim())));
  }
  return names;
}

/** Whether two bases say the same. */
export function areSynonyms(a: string, b: string): boolean {
  if (a === b) return true;
  const names = SAME.get(a);
  const others = SAME.get(b);
  return names !== undefined && others !== undefined && [...names].some((name) => others.has(name));
}

/** Whether all that the narrow word names is also named by the wide one. */
export function isKindOf(narrow: string, wide: string): boolean {
  for (const kind of [narrow, ...(SAME.get(narrow) ?? [])]) {
    for (const wider of WIDER.get(kind) ?? []) if (areSynonyms(wider, wide)) return true;
  }
  return false;
}
