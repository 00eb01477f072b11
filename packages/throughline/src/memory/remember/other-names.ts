import { findName } from "../../language/names.ts";

/** "Kubernetes (k8s)", "the Borg scheduler, aka the hive", "k8s is short for Kubernetes". */
const TOLD =
  /(?<name>[\p{L}\p{N}][\p{L}\p{N}.+#/-]{1,40}(?: [\p{Lu}][\p{L}\p{N}.+#/-]{0,40}){0,3})(?: \((?<short>[\p{L}\p{N}][\p{L}\p{N}.+#-]{1,15})\)|,? (?:a\.?k\.?a\.?|also (?:known as|called)|(?:is )?(?:short|stands) for|abbreviated(?: as)?)[: ]+["“'‘]?(?<other>[\p{L}\p{N}][\p{L}\p{N}.+#/-]{1,40}))/gu;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}.+#-]{1,40}/gu;
/** Number of characters to search for aliases: names are introduced early in a text. */
const LOOKED_AT = 4_000;

/**
 * Aliases of the names in a text: common ones ("k8s" for Kubernetes), and those that the text introduces itself. They are
 * indexed with the words of the text.
 *
 * @example
 * otherNames("We deploy to Kubernetes."); // ["k8s"]
 */
export function otherNames(text: string): readonly string[] {
  const start = text.slice(0, LOOKED_AT);
  const own = new Set(start.toLowerCase().match(WORDS) ?? []);
  const known = [...own].flatMap((word) => {
    const name = findName(word);
    return name === undefined ? [] : [name.name.toLowerCase(), name.casual, name.short];
  });
  return [...new Set(known)].filter((name) => !own.has(name));
}

/** Pairs of names that a text introduces for the same thing, as written in the text. */
export function statedAliases(text: string): readonly string[] {
  return [...text.slice(0, LOOKED_AT).matchAll(TOLD)].flatMap(({ groups = {} }) => {
    const { name = "", short, other } = groups;
    if (other !== undefined) return [name, other];
    return short !== undefined && isShortFor(short, name) ? [name, short] : [];
  });
}

/** Initials ("CI" of "Continuous Integration"), numeronyms ("k8s"), or the letters of the name in order. */
function isShortFor(short: string, name: string): boolean {
  const letters = short.toLowerCase().replace(/[^\p{L}]/gu, "");
  const whole = name.toLowerCase();
  let at = 0;
  for (const letter of letters) {
    at = whole.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return letters.length > 0 && short.length < name.length && letters[0] === whole[0];
}
