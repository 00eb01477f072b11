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
