/** A pattern of a wording, and the key that it states. Its group `value` is the value. */
export type SlotRule = readonly [key: string, pattern: RegExp];

const BE = "(?:is|am|are)";
const A_FEW = String.raw`(?:an? |\d+ |[\p{L}-]+ ){0,3}?`;
const PET =
  "(?:dogs?|cats?|pets?|puppy|puppies|kittens?|horses?|rabbits?|parrot|hamsters?|poodle|labrador|beagle|husky)";
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
  ["hobby", `(?:main |current )?hobb(?:y|ies) ${BE} (?<value>.+)`],
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
  ["field", `(?:works?|${BE} working) in (?<value>.+)`],
  ["occupation", String.raw`${BE} an? (?<value>(?:[\p{L}-]+ ){0,3}?${PROFESSION})(?: (?:at|for|in|with|from) .+)?`],
  ["likes", "(?:likes?|loves?|enjoys?|adores?) (?<value>.+)"],
  [
    "likes",
    `${BE} (?:into|fond of|obsessed with|passionate about|crazy about|interested in|(?:an? )?(?:big |huge )?fan of) (?<value>.+)`,
  ],
  [
    "dislikes",
    "(?:hates?|dislikes?|loathes?|despises?|detests?|(?:cannot|can't) stand|(?:does not|doesn't|do not|don't) like) (?<value>.+)",
  ],
  ["prefers", "prefers? (?<value>.+)"],
  ["language", "(?:can )?speaks? (?<value>.+)"],
  ["allergy", `${BE} allergic to (?<value>.+)`],
  ["fear", `${BE} (?:afraid|scared|terrified) of (?<value>.+)`],
  ["goal", "(?:wants? to (?:be|become)|goal (?:is|are)(?: to)?) (?:an? )?(?<value>.+)"],
  ["pet", `(?:has|have|owns?) (?<value>${A_FEW}${PET}(?: (?:named|called) .+)?)`],
  ["child", `(?:has|have) (?<value>${A_FEW}(?:kids?|child|children|sons?|daughters?|twins)(?: .*)?)`],
  ["sibling", `(?:has|have) (?<value>${A_FEW}(?:brothers?|sisters?|siblings?)(?: .*)?)`],
  ["vehicle", "drives? (?:an? )?(?<value>.+)"],
  ["plays", "plays? (?:the )?(?<value>.+)"],
  ["field_of_study", `(?:${BE} (?:studying|majoring in)|studies|study|studied|majors? in|majored in) (?<value>.+)`],
  [
    "uses",
    String.raw`${CHOOSES} (?<value>.+?)(?: (?:as|for) (?:(?:the|our|its|their|an?) )?(?:primary |main |default )?(?<purpose>(?!this|that|these|my|improved|better|faster|it\b)\p{L}[\p{L}-]*(?: (?!because|since|instead|rather|over|due|to\b)[\p{L}-]+){0,2}))?(?: (?:because|since|instead|rather|over|due|to)\b.*)?`,
  ],
];

/** Patterns for the predicate of a sentence about a person. The first match counts. */
export const SLOT_RULES: readonly SlotRule[] = WORDINGS.map(([key, wording]) => [
  key,
  new RegExp(`^${wording}$`, "iu"),
]);
