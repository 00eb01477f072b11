import { omitUndefined } from "../../internal/json.ts";
import { anyPhrase } from "../../language/word-lists.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { FAMILY, PETS } from "./lexicon/nouns.ts";
import { swapPerson } from "./third-person.ts";
import { trimObject } from "./trim-object.ts";

/** Something of one's own, and what was said of it. */
export interface Possessive {
  /** What it is that is the speaker's: `favorite food`, `dog`. */
  readonly owned: string;
  /** The rest of the sentence: `is sushi`, `is called Bo`. */
  readonly told: string;
  readonly category: FactCategory;
  /** Whether it is somebody who has a name of their own. */
  readonly isSomebody: boolean;
  readonly key?: string;
  readonly value?: string;
}

const NAME =
  /^(?:(?:[Mm]y|MY) (?:full |first |real |last )?(?:name(?:'s| is)|NAME IS)|(?:[Pp]lease |[Yy]ou can |[Jj]ust )?[Cc]all me(?= \p{Lu})|[Ii](?:'m| am) called|[Ii] go by(?= \p{Lu})|(?:[Pp]eople|[Ee]veryone|[Ff]riends) calls? me(?= \p{Lu})) (\p{L}[\p{L}'.-]*(?: \p{Lu}[\p{L}'.-]*){0,3})/u;
const NO_NAME =
  /^(?:not|a|an|the|when|if|back|later|crazy|old|maybe|or|and|by|on|at|too|so|very|pretty|really|actually|also|hard|my)\b/i;
const FAVORITE =
  /^my (?:all[- ]time )?(?:most )?favou?rite (?!(?:is|are|was|one|ones|part|thing)\b)([\p{L}][\p{L}\s'-]{1,40}?) (?:is|are|has to be|have to be) (.+)$/iu;
const FAVORITE_AFTER =
  /^([\p{L}\p{N}"][\p{L}\p{N}\s'"&.-]{1,50}?) (?:is|are) my (?:all[- ]time )?favou?rite(?: ([\p{L}][\p{L}\s'-]{1,30}))?$/iu;
const TRAIT = new RegExp(
  `^my (?:main |current |biggest |other |only |new |full[- ]time |day |second )?(${anyPhrase(`job, occupation, profession, career,
    hobby, hobbies, passion, birthday, age, major, dream, dream job, goal, specialty, speciality, nationality, religion,
    native language, first language, mother tongue, hometown, home town, hair, eyes, car, truck, height, biggest fear, fear,
    degree, weakness, pronouns, time ?zone, diet, ethnicity, background, role, job title, company, employer, team, email,
    website, blog`)}) (is|are) (.+)$`,
  "i",
);
const PASSING_TRAIT =
  /^(?:going|good|great|fine|ok|okay|so|very|really|pretty|just|not|too|boring|stressful|tough|hard|easy|nice|amazing|awesome|busy|stable|coming|doing|getting|fun|all|still|here|broken|messy|crazy|always|quite|kind)\b/i;
const POINTS_BACK =
  /^(?:it|that|this|those|these|they|he|she|them|what|which|also|definitely|probably|by far|one|there)\b|\b(?:you|your)\b/i;
const MAX_TRAIT_LENGTH = 12;
/** One's own people and animals: what they are called, and that they died. Anything else is told of others. */
const CALLED =
  /^(?:my|our) ((?:[\p{L}\p{N}'-]+ ){0,2}?)([\p{L}-]+?)(?:'s name is|s' names are| (?:is|are|was|were) (?:named|called)) (?!after\b)(.+)$/iu;
const DIED =
  /^(?:my|our) ((?:[\p{L}\p{N}'-]+ ){0,2}?)([\p{L}-]+) (?:just |also |recently |sadly )*(died|passed away)\b(.*)$/iu;

/** What somebody says of what is theirs: a name, a favourite, a trait, their family and animals. */
export function readPossessive(clause: string): Possessive | undefined {
  return readName(clause) ?? readFavorite(clause) ?? readTrait(clause) ?? readCalled(clause) ?? readDeath(clause);
}

function readName(clause: string): Possessive | undefined {
  const name = NAME.exec(clause)?.[1];
  if (name === undefined || NO_NAME.test(name)) return undefined;
  return { owned: "name", told: `is ${name}`, category: "identity", isSomebody: false };
}

function readFavorite(clause: string): Possessive | undefined {
  const [, kind, value] = FAVORITE.exec(clause) ?? swapGroups(FAVORITE_AFTER.exec(clause));
  const object = trimObject(value ?? "");
  if (kind === undefined || object === "" || POINTS_BACK.test(object)) return undefined;
  const told = `is ${swapPerson(object)}`;
  return { owned: `favorite ${kind.trim()}`, told, category: "preference", isSomebody: false };
}

/** "Sushi is my favorite food" says first what the other wording says last. */
function swapGroups(match: RegExpExecArray | null): readonly (string | undefined)[] {
  return match === null ? [] : [match[0], match[2], match[1]];
}

function readTrait(clause: string): Possessive | undefined {
  const [, owned = "", verb = "", value = ""] = TRAIT.exec(clause) ?? [];
  const object = trimObject(value);
  if (object === "" || POINTS_BACK.test(object) || PASSING_TRAIT.test(object)) return undefined;
  if (object.split(/\s+/).length > MAX_TRAIT_LENGTH) return undefined;
  const told = `${verb.toLowerCase()} ${swapPerson(object)}`;
  return { owned: owned.toLowerCase(), told, category: "identity", isSomebody: false };
}

function readCalled(clause: string): Possessive | undefined {
  const [, before = "", noun = "", name = ""] = CALLED.exec(clause) ?? [];
  const value = trimObject(name);
  if (!isOnesOwn(noun) || value === "") return undefined;
  return { ...ofSomebody(before, noun, `is called ${value}`), key: "name", value };
}

function readDeath(clause: string): Possessive | undefined {
  const [, before = "", noun = "", died = "", rest = ""] = DIED.exec(clause) ?? [];
  return isOnesOwn(noun)
    ? ofSomebody(before, noun, swapPerson(`${died}${trimObject(rest) && ` ${trimObject(rest)}`}`))
    : undefined;
}

function ofSomebody(before: string, noun: string, told: string): Possessive {
  return omitUndefined({ owned: `${before}${noun}`, told, category: "identity", isSomebody: true });
}

function isOnesOwn(noun: string): boolean {
  return FAMILY.has(noun.toLowerCase()) || PETS.has(noun.toLowerCase());
}
