import { wordSet } from "./words.ts";

const IRREGULAR: Readonly<Record<string, string>> = { have: "has", do: "does", be: "is", go: "goes" };
/** Verbs with the same form in every person, and past tenses that do not end in -ed. */
const UNCHANGED = wordSet(`
  can could will would shall should may might must did had was went got made took came saw knew grew gave found thought told
  became left felt kept began brought bought wrote built met ran held lost spoke taught read set put cut quit won sold sent
  spent learnt drove ate drank chose broke fell flew forgot rode rose sang slept swam wore`);
const ADVERBS =
  "(?:really|also|often|usually|always|never|currently|still|mostly|mainly|sometimes|generally|only|now|recently|typically|primarily|actually|definitely)";
const OWN = new RegExp(`^I ((?:${ADVERBS} )*)([a-z]+)\\b(.*)$`, "is");
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
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^I(?:['’]m| am|m) /i, "User is "],
  [/^I(?:['’]ve| have|ve) /i, "User has "],
  [/^I(?:['’]d| would) /i, "User would "],
  [/^I (?:don['’]?t|do not) /i, "User does not "],
  [/^I (?:didn['’]?t|did not) /i, "User did not "],
  [/^I (?:can['’]?t|cannot) /i, "User cannot "],
  [/^My /i, "User's "],
  [/^The user(?=['’]s | )/i, "User"],
];

/** The form of a verb after "she" or "he": `plays`, `has`, `studies`. */
function inThirdPerson(verb: string): string {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

/** The form of a verb after "she" or "he". Unchanged if it is in the past tense or has only one form. */
export function agree(verb: string): string {
  return UNCHANGED.has(verb) || /(?:[^e]|[^e]e)ed$/.test(verb) ? verb : inThirdPerson(verb);
}

/** Replaces words of the first person with those of the third: "my dog" becomes "their dog". */
function toSecondPerson(text: string): string {
  return text.replace(FIRST_PERSON, (word) => (isAcronym(word) ? word : (SWAPS[word.toLowerCase()] ?? word)));
}

/** True for acronyms such as "US" and "AM", which are not a pronoun or a verb. */
function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase();
}

/**
 * Converts a sentence in the first person to one about the user. Any other sentence stays unchanged.
 *
 * @example
 * toThirdPerson("I live in Oslo."); // "User lives in Oslo"
 */
export function toThirdPerson(sentence: string): string {
  const plain = sentence.replace(/[.]$/, "");
  for (const [own, described] of BEGINNINGS) {
    if (own.test(plain)) return `${described}${toSecondPerson(plain.replace(own, ""))}`;
  }
  const [, adverbs = "", verb, rest = ""] = OWN.exec(plain) ?? [];
  return verb === undefined ? plain : `User ${adverbs}${agree(verb.toLowerCase())}${toSecondPerson(rest)}`;
}

/**
 * The same without the subject, as a line in a list about the user.
 *
 * @example
 * describeUser("I prefer direct answers."); // "Prefers direct answers"
 */
export function describeUser(sentence: string): string {
  const described = toThirdPerson(sentence);
  const bare = /^(?:I|My)\b/i.test(sentence) ? described.replace(/^User (?=\p{Ll})/u, "") : described;
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

/** Words of the first person that no rule rewrites. Common words of English are left out of other languages. */
const STILL_FIRST_PERSON = wordRule(
  "i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|we'd|we'll|us|our|ours|ourselves",
  "(?<![\\p{L}\\p{N}'.@/-])",
  "(?![\\p{L}\\p{N}'@/-])",
);
const OTHER_FIRST_PERSON = wordRule(
  `ich|mich|mir|meine?[mnrs]?|wir|unsere?[mnrs]?|ik|mijn|wij|onze|jag|jeg|yo|soy|estoy|tengo|vivo|trabajo|prefiero|nosotr[oa]s|nuestr[oa]s?|
  je|j'\\p{L}+|moi|mon|mes|nous|notre|eu|meus?|minhas?|sou|estou|tenho|moro|trabalho|prefiro|abito|lavoro|preferisco|nostr[oa]|
  mieszkam|jestem|pracuję|wolę|lubię|moja|mój|benim|biz|saya|aku|tôi|minä|olen|én|vagyok`.replace(/\s+/g, ""),
);
const LETTERS = /\p{L}/gu;
const LATIN = /\p{sc=Latin}/gu;

function wordRule(words: string, before = "(?<![\\p{L}\\p{N}_])", after = "(?![\\p{L}\\p{N}_])"): RegExp {
  return new RegExp(`${before}(?:${words})${after}`, "giu");
}

/**
 * A line about the user for a prompt, in which "I" is the assistant: in the third person, or quoted if it is in the
 * first person and cannot be rewritten safely.
 *
 * @example
 * describeUserBriefly("I live in Oslo"); // "Lives in Oslo"
 * describeUserBriefly("Ich wohne in Oslo"); // "In the user's words: “Ich wohne in Oslo”"
 */
export function describeUserBriefly(text: string): string {
  const described = describeUser(text);
  return isFirstPerson(described) ? `In the user's words: “${text.replace(/[“”]/g, '"')}”` : described;
}

/** Other scripts are not parsed, so their sentences count as the user's own words. */
function isFirstPerson(text: string): boolean {
  const plain = text.replaceAll("’", "'");
  const words = [...plain.matchAll(STILL_FIRST_PERSON)].map(([word]) => word);
  if (words.some((word) => !isAcronym(word))) return true;
  if (plain.search(OTHER_FIRST_PERSON) >= 0) return true;
  const letters = plain.match(LETTERS)?.length ?? 0;
  return letters > 0 && (plain.match(LATIN)?.length ?? 0) * 2 < letters;
}
