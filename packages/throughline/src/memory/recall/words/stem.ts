type Rule = readonly [suffix: string, replacement: string];

const STEP_2: readonly Rule[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
];

const STEP_3: readonly Rule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

/** Longest first: "ement" before "ment" before "ent". */
const STEP_4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou".split(" ");

/** Words are met again and again; beyond this many, the memory starts anew. */
const REMEMBERED = 50_000;
const known = new Map<string, string>();

/** The stem of a lower-case English word, by Porter's rules of 1980: "painted", "paints" and "painting" are one. */
export function stem(word: string): string {
  // What is not English letters (names of things, other languages) stays as it is.
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const before = known.get(word);
  if (before !== undefined) return before;
  if (known.size >= REMEMBERED) known.clear();
  const result = [
    dropPlural,
    dropPastAndGerund,
    turnY,
    suffixStep(STEP_2),
    suffixStep(STEP_3),
    dropSuffix,
    dropE,
  ].reduce((form, step) => step(form), word);
  known.set(word, result);
  return result;
}

function dropPlural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function dropPastAndGerund(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const left = /^(.+)(?:ed|ing)$/.exec(word)?.[1];
  return left === undefined || !hasVowel(left) ? word : mend(left);
}

/** "hopp" is "hop", "hop" is "hope", and "conflat" is "conflate". */
function mend(left: string): string {
  if (/(at|bl|iz)$/.test(left)) return `${left}e`;
  if (/([^aeioulsz])\1$/.test(left)) return left.slice(0, -1);
  return measure(left) === 1 && endsShort(left) ? `${left}e` : left;
}

function turnY(word: string): string {
  return word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function suffixStep(rules: readonly Rule[]): (word: string) => string {
  return (word) => {
    const rule = rules.find(([suffix]) => word.endsWith(suffix));
    if (rule === undefined) return word;
    const left = word.slice(0, -rule[0].length);
    return measure(left) > 0 ? left + rule[1] : word;
  };
}

function dropSuffix(word: string): string {
  const suffix = STEP_4.find((ending) => word.endsWith(ending));
  if (suffix === undefined) return word;
  const left = word.slice(0, -suffix.length);
  const goes = measure(left) > 1 && (suffix !== "ion" || /[st]$/.test(left));
  return goes ? left : word;
}

function dropE(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const left = result.slice(0, -1);
    const count = measure(left);
    if (count > 1 || (count === 1 && !endsShort(left))) result = left;
  }
  return result.endsWith("ll") && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** `v` for a vowel and `c` for a consonant, letter by letter: y is a vowel behind a consonant. */
function shape(word: string): string {
  let result = "";
  for (const letter of word) {
    const isVowel = "aeiou".includes(letter) || (letter === "y" && result.endsWith("c"));
    result += isVowel ? "v" : "c";
  }
  return result;
}

/** How often consonants follow vowels. */
function measure(word: string): number {
  return shape(word).split("vc").length - 1;
}

function hasVowel(word: string): boolean {
  return shape(word).includes("v");
}

/** Consonant, vowel, consonant, as in "hop"; but not w, x or y at the end. */
function endsShort(word: string): boolean {
  return shape(word).endsWith("cvc") && !/[wxy]$/.test(word);
}
