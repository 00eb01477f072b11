import { omitUndefined } from "../../internal/json.ts";
import { memoizeByText } from "../../internal/memoize.ts";
import { wordList, wordSet } from "../../language/words.ts";

/** Keys with several values at a time. */
const MANY_VALUED = wordSet(`
  likes dislikes likes_to hobby interest language pet child sibling skill tool uses visited goal allergy fear instrument plays
  has owns vehicle instruction rule convention decision constraint friend occupation degree project works_on food drink sport
  prefers note topic alias member dependency feature requirement risk todo`);
/** Keys with several values, of which a correction replaces one instead of adding one. */
const CORRECTED = wordSet("occupation vehicle goal works_on degree prefers");
/** Words that end like a plural but are singular. */
const NO_PLURALS =
  /(?:ss|us|is|address|status|news|basis|analysis|lens|canvas|(?:^|_)(?:terms|hours|details|settings|specs|logistics))$/;

/** Maximum number of words in a key that can be a plural: "code_owners". */
const MAX_PLURAL_WORDS = 2;

/** Synonyms of keys. */
const SAME_KEYS: ReadonlyMap<string, string> = new Map(
  namesOfKeys(`residence: location city home lives_in based_in home_city place_of_residence current_city town address_city |
  employer: company workplace works_at works_for | name: full_name user_name username first_name | birthday: date_of_birth dob |
  marital_status: relationship_status relationship | occupation: job profession job_title role career | db: database datastore |
  timezone: time_zone tz | language: languages speaks spoken_language | hobby: hobbies interests interest | pet: pets |
  child: children kids | sibling: siblings brothers sisters | likes: like loves enjoys | dislikes: dislike hates |
  origin: from hometown_country country_of_origin | ci: ci_pipeline | test_runner: test_framework testing_framework`),
);

/** Words of questions about a key that are not synonyms of it. */
const ASKED_BY =
  namesOfKeys(`residence: live living reside moved | employer: work job employed | occupation: work living |
  name: called | birthday: born age | marital_status: married partner spouse | origin: born grew | uses: use using |
  works_on: working project`);

function namesOfKeys(table: string): (readonly [name: string, key: string])[] {
  return table.split("|").flatMap((line) => {
    const [key = "", names = ""] = line.split(":");
    return wordList(names).map((name) => [name, key.trim()] as const);
  });
}

/**
 * Normal form of a key: lower case with underscores, with synonyms replaced by one name.
 *
 * @example
 * normalizeKey("Favourite colour"); // "favorite_color"
 * normalizeKey("location"); // "residence"
 */
export const normalizeKey: (key: string) => string = memoizeByText(normalize);

function normalize(key: string): string {
  const plain = key
    .trim()
    .toLowerCase()
    .replaceAll("favourite", "favorite")
    .replaceAll("colour", "color")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  return SAME_KEYS.get(plain) ?? plain;
}

/**
 * Words by which people ask for the value of a key.
 *
 * @example
 * keyWords("db"); // ["db", "database", "datastore"]
 */
export function keyWords(question: string): readonly string[] {
  const normal = normalizeKey(question);
  const names = [...SAME_KEYS, ...ASKED_BY].filter(([, key]) => key === normal).map(([name]) => name);
  return [...new Set([normal, ...names].flatMap((name) => name.split("_")))];
}

/**
 * True if only one value of a key can be valid at a time, so that another one replaces it. Unknown keys are
 * single-valued, unless they are a plural.
 *
 * @example
 * isSingleValued("residence"); // true
 * isSingleValued("hobbies"); // false
 */
export function isSingleValued(key: string): boolean {
  const normal = normalizeKey(key);
  if (normal.startsWith("favorite_")) return true;
  // A longer key names a single thing, also if its last word is a plural: "renew_acme_supplies".
  const isPlural = normal.endsWith("s") && !NO_PLURALS.test(normal) && normal.split("_").length <= MAX_PLURAL_WORDS;
  return !MANY_VALUED.has(normal) && !isPlural;
}

/** True if a correction replaces a value of this key, although it can have several. */
export function isCorrectable(key: string): boolean {
  return CORRECTED.has(normalizeKey(key));
}

/** Attribute and value that a fact states. */
export interface Slot {
  readonly key: string;
  readonly value?: string;
  /** The value that the fact declares as ended. */
  readonly former?: string;
  /** True if the value is a tool or a choice. Others for the same purpose may exist. */
  readonly isChoice?: boolean;
}

/** Longer texts contain more than one statement. */
const MAX_FACT_LENGTH = 400;
/** A fact with the end of the reply that it refers to has no value of its own. */
const REFERENCE = " [re: ";
const SUBJECT = /^(?:the )?(?:user|project|team)(?:'s)? |^(?:i|we|they|he|she|my|our|their) /i;
const ADVERB = /^(is |am |are )?(?:now|currently|still|also|really|mostly|mainly|only|always|just|actually) /i;
const NO_MORE = /^(?:(?:is |am )?no longer|used to) |^(?:does not|doesn't|do not|don't) (?=.* any ?more$)/i;
const ANY_MORE = /(?<!\s)\s+any ?more$/i;

const BE = "(?:is|am|are)";
const A_FEW = String.raw`(?:an? |\d+ |[\p{L}-]+ ){0,3}?`;
const PROFESSION = String.raw`(?:\p{L}+(?:ist|ian|eer|tor|ger|cher|per|ter|ler|der|yer|ker|ser|ner|ver)|nurse|cook|chef|judge|pilot|model|clerk|student|coach|doctor|soldier|analyst|accountant|consultant|architect|surgeon|author|intern)`;

const CHOOSES = `(?:uses?|${BE} using|(?:decided|agreed|opted|chose) to (?:use|go with)|(?:decided|settled) on|opted for|went with|chose|picked)`;

const WORDINGS: readonly (readonly [key: string, wording: string])[] = [
  ["name", `(?:full |first )?name ${BE} (?<value>.+)`],
  ["favorite_", String.raw`favou?rite (?<kind>[\p{L}\s-]+?) ${BE} (?<value>.+)`],
  ["birthday", `birthday ${BE} (?:on )?(?<value>.+)`],
  ["native_language", `(?:native|first) language ${BE} (?<value>.+)`],
  ["hometown", `(?:hometown|home town) ${BE} (?<value>.+)`],
  ["timezone", `time ?zone ${BE} (?<value>.+)`],
  ["occupation", `(?:job|occupation|profession|role|job title) ${BE} (?:as )?(?:an? )?(?<value>.+)`],
  ["employer", `(?:company|employer) ${BE} (?<value>.+)`],
  ["residence", `(?:lives?|resides?|${BE} living|stays?) (?:in|at|near) (?<value>.+)`],
  ["residence", String.raw`(?:${BE} |[\p{L}\s]+ )?(?:based|located) in (?<value>.+)`],
  ["residence", `(?:moved|${BE} moving|relocated|moves)(?: back)?(?: from .+?)? to (?<value>.+)`],
  ["origin", `${BE} (?:originally )?from (?<value>.+)`],
  ["birthplace", "was born (?:and raised )?in (?<value>.+)"],
  ["hometown", "(?:grew up|was raised) in (?<value>.+)"],
  ["age", String.raw`${BE} (?:about |almost |only |just )?(?<value>\d{1,3})(?: (?:years?|yrs?)[ -]old)?`],
  ["marital_status", `(?:${BE}|got) (?<value>married|single|divorced|widowed|engaged|separated)(?: .*)?`],
  ["diet", `${BE} (?:an? )?(?<value>vegan|vegetarian|pescatarian)`],
  ["occupation", `(?:works?|${BE} working) as (?:an? |the )?(?<value>.+?)(?: (?:at|for|in|with) .+)?`],
  ["employer", `(?:works?|${BE} working) (?:at|for) (?:the )?(?<value>.+)`],
  ["occupation", String.raw`${BE} an? (?<value>(?:[\p{L}-]+ ){0,3}?${PROFESSION})(?: (?:at|for|in|with|from) .+)?`],
  ["child", `(?:has|have) (?<value>${A_FEW}(?:kids?|child|children|sons?|daughters?|twins)(?: .*)?)`],
  ["sibling", `(?:has|have) (?<value>${A_FEW}(?:brothers?|sisters?|siblings?)(?: .*)?)`],
  ["pet", `(?:has|have|owns?) (?<value>${A_FEW}(?:dogs?|cats?|pets?|horses?|rabbits?)(?: (?:named|called) .+)?)`],
  ["allergy", `${BE} allergic to (?<value>.+)`],
  ["fear", `${BE} (?:afraid|scared|terrified) of (?<value>.+)`],
  ["language", "(?:can )?speaks? (?<value>.+)"],
  ["vehicle", "drives? (?:an? )?(?<value>.+)"],
  ["hobby", `(?:main |current )?hobb(?:y|ies) ${BE} (?<value>.+)`],
  [
    "uses",
    String.raw`${CHOOSES} (?<value>.+?)(?: (?:as|for) (?:(?:the|our|its|their|an?) )?(?:primary |main |default )?(?<purpose>(?!this|that|these|my|improved|better|faster|it\b)\p{L}[\p{L}-]*(?: (?!because|since|instead|rather|over|due|to\b)[\p{L}-]+){0,2}))?(?: (?:because|since|instead|rather|over|due|to)\b.*)?`,
  ],
];

/** Patterns for the predicate of a sentence about a person. The first match counts. */
const SLOT_RULES: readonly (readonly [key: string, pattern: RegExp])[] = WORDINGS.map(([key, wording]) => [
  key,
  new RegExp(`^${wording}$`, "iu"),
]);

/**
 * Reads key and value from the wording of a fact; `undefined` if no rule matches.
 *
 * @example
 * readSlot("User is based in Copenhagen"); // { key: "residence", value: "Copenhagen" }
 * readSlot("User no longer lives in Paris"); // { key: "residence", former: "Paris" }
 */
export const readSlot: (fact: string) => Slot | undefined = memoizeByText(read);

function read(fact: string): Slot | undefined {
  if (fact.length > MAX_FACT_LENGTH || fact.includes(REFERENCE)) return undefined;
  const plain = fact
    .trim()
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .replace(/(?<![.!])[.!]+$/, "");
  const rest = dropAdverbs(plain.replace(/^I'm /i, "I am ").replace(SUBJECT, ""));
  const noMore = NO_MORE.exec(rest)?.[0];
  const slot = readPredicate(rest.slice(noMore?.length ?? 0).replace(ANY_MORE, ""));
  if (noMore === undefined) return slot;
  return slot === undefined ? undefined : omitUndefined({ key: slot.key, former: slot.value });
}

function dropAdverbs(predicate: string): string {
  let rest = predicate;
  while (ADVERB.test(rest)) rest = rest.replace(ADVERB, "$1");
  return rest;
}

function readPredicate(predicate: string): Slot | undefined {
  for (const [key, pattern] of SLOT_RULES) {
    const groups = pattern.exec(predicate)?.groups;
    if (groups === undefined) continue;
    const { value = "", kind, purpose } = groups;
    if (key === "uses") return { key: normalizeKey(purpose ?? key), value, isChoice: true };
    return omitUndefined({ key: normalizeKey(`${key}${kind ?? ""}`), value });
  }
  return undefined;
}
