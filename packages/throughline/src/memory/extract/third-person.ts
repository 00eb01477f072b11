import { BARE_HABITS, HABITS, TASTES } from "./lexicon/verbs.ts";
import type { Statement } from "./read-statement.ts";

const IRREGULAR: Readonly<Record<string, string>> = { have: "has", do: "does", be: "is", go: "goes" };
const SWAPS: Readonly<Record<string, string>> = {
  i: "they",
  "i'm": "they are",
  "i've": "they have",
  me: "them",
  my: "their",
  mine: "theirs",
  myself: "themselves",
  we: "they",
  "we're": "they are",
  us: "them",
  our: "their",
  ours: "theirs",
  ourselves: "themselves",
  am: "are",
};
const FIRST_PERSON =
  /(?<![\p{L}\p{N}'.@/-])(?:i'm|i've|i|me|my|mine|myself|we're|we|us|our|ours|ourselves|am)(?![\p{L}\p{N}'@/-])/giu;

/** The verb as it stands after "she" or "he": `plays`, `has`, `studies`. */
export function inThirdPerson(verb: string): string {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

/** Words about oneself as another says them: "my dog" becomes "their dog". */
export function swapPerson(text: string): string {
  return text.replace(FIRST_PERSON, (word) => (isAcronym(word) ? word : (SWAPS[word.toLowerCase()] ?? word)));
}

/** "US" and "7 AM" are no pronoun and no verb. */
function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase();
}

/** A statement about oneself as a sentence about `name`. */
export function tellStatement(statement: Statement, object: string, name: string): string {
  return [name, ...predicateOf(statement), swapPerson(object)].filter((word) => word !== "").join(" ");
}

function predicateOf({ form, verb, negation, adverbs }: Statement): string[] {
  const words = [...adverbs];
  switch (form) {
    case "is":
    case "was":
      return [form, negation, ...words];
    case "has":
      return negation === "" ? [...words, "has"] : withDo(negation, words, "have");
    case "doing":
      return ["is", negation, ...words, verb];
    case "has-been":
      return ["has", negation, ...words, "been"];
    case "has-done":
      return ["has", negation, ...words, verb];
    case "has-been-doing":
      return ["has", negation, ...words, "been", verb];
    case "used-to":
      return [...words, "used to", verb];
    case "can":
      return [negation === "" ? "can" : "cannot", ...words, verb];
    case "did":
      return [...words, verb];
    case "does":
      return negation === "" ? [...words, inThirdPerson(verb)] : withDo(negation, words, verb);
  }
}

function withDo(negation: string, adverbs: readonly string[], verb: string): string[] {
  return negation === "not" ? ["does not", ...adverbs, verb] : [...adverbs, negation, inThirdPerson(verb)];
}

/** Verbs that go on after "and" are put into the same person: "cooks and bakes". */
export function agreeAfterAnd(text: string): string {
  return text.replace(
    /\b(and|or) ([a-z]+)(?=\s+(?:my|their|a|an|the|in|at|to|for|with|on|as)\b|$)/g,
    (all, and: string, verb: string) => (isKnownVerb(verb) ? `${and} ${inThirdPerson(verb)}` : all),
  );
}

function isKnownVerb(word: string): boolean {
  return HABITS.has(word) || TASTES.has(word) || BARE_HABITS.has(word);
}

const OWN_BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^I(?:['’]m| am) /i, "User is "],
  [/^I(?:['’]ve| have) /i, "User has "],
  [/^My /, "User's "],
  [/^The user(?=['’]s | )/i, "User"],
];

/** A sentence that may be in the first person as one about the user. */
export function tellOfUser(sentence: string): string {
  for (const [own, told] of OWN_BEGINNINGS) {
    if (own.test(sentence)) return swapPerson(sentence.replace(own, told)).replace(/[.]$/, "");
  }
  const [, verb, rest = ""] = /^I ([a-z]+)\b(.*)$/.exec(sentence) ?? [];
  const told =
    verb === undefined ? sentence : `User ${isKnownVerb(verb) ? inThirdPerson(verb) : verb}${swapPerson(rest)}`;
  return told.replace(/[.]$/, "");
}
